// read_forgotten: read which of some turns and conversations were forgotten.
// params:  palace (string), ids (list of string)
// returns: id (string), at (string)
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (f:ForgottenMark {id: id})
WHERE f.palace = $palace
RETURN f.id AS id, toString(f.at) AS at
