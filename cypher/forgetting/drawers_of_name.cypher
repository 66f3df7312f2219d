// drawers_of_name: the drawers that mention an entity, also by a name that was merged into it.
// params:  palace (string), id (string)
// returns: drawer (string)
// runs:    implicit transaction, reads
MATCH (e:Entity {id: $id})
WHERE e.palace = $palace
MATCH (d:Drawer)-[:REFERENCES]->(e)
RETURN d.id AS drawer
