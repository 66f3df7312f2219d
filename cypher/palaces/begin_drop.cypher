// begin_drop: hide a palace from all readers; its contents are deleted afterwards.
// params:  palace (string), dropped (string: its new name)
// returns: name (string); no row if there is no such palace
// runs:    implicit transaction
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p
WHERE p.dropped_at IS NULL // another service may have dropped it while this query waited for the lock
SET p.name = $dropped, p.id = $dropped, p.palace = $dropped, p.dropped_at = datetime.realtime()
RETURN p.name AS name
