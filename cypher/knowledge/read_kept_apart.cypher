// read_kept_apart: read which names were split from entities by hand.
// params:  ids (list of string)
// returns: normalised_name (string), kept_apart (list of string: normalised names)
// runs:    any transaction, reads
UNWIND $ids AS id
MATCH (e:Entity {id: id})
WHERE e.kept_apart IS NOT NULL
RETURN e.normalised_name AS normalised_name, e.kept_apart AS kept_apart
