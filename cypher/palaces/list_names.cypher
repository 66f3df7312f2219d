// list_names: the names of all palaces.
// params:
// returns: name (string)
// runs:    implicit transaction, reads
MATCH (p:Palace)
WHERE p.dropped_at IS NULL
RETURN p.name AS name
ORDER BY name
