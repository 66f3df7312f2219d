// get_run: read a run with all its data; no row if it is not in the palace.
// params:  palace (string), id (string)
// returns: run (map), created_ms (int), expires_ms (int)
// runs:    implicit transaction, reads
MATCH (r:Run {id: $id})
WHERE r.palace = $palace
RETURN properties(r) AS run, r.created_at.epochMillis AS created_ms, r.expires_at.epochMillis AS expires_ms
