// count_entities: how many entities a palace has.
// params:  palace (string)
// returns: entities (int)
// runs:    implicit transaction, reads
MATCH (n:Entity {palace: $palace})
RETURN count(n) AS entities
