// list_names: the names of all palaces.
// params:
// returns: name (string)
// runs:    implicit transaction, reads
MATCH (p:Palace)
RETURN p.name AS name
ORDER BY name
