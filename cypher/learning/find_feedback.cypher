// find_feedback: count what a feedback judged, if it is stored.
// params:  palace (string), id (string)
// returns: useful, useless (ints)
// runs:    implicit transaction, reads
MATCH (f:Feedback {id: $id})
WHERE f.palace = $palace
RETURN COUNT { (f)-[:USEFUL]->() } AS useful, COUNT { (f)-[:USELESS]->() } AS useless
