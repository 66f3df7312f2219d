// name_entity: an entity with a name, as a palace's entities are.
// params:  palace (string)
// returns:
// runs:    implicit transaction
MATCH (n:Entity {id: $palace + '-5'})
SET n.name = 'nobody'
