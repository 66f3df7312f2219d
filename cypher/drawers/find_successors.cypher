// find_successors: the drawers that took the place of a drawer, one after the other.
// params:  palace (string), id (string)
// returns: id (string)
// runs:    explicit transaction, reads
MATCH (d:Drawer {id: $id})
WHERE d.palace = $palace
MATCH (d)-[:REPLACED_BY*1..1000]->(later:Drawer)
RETURN DISTINCT later.id AS id
