// list_drawers: the drawers of a conversation in the order in which they were filed.
// params:  palace (string), closet (string)
// returns: id (string)
// runs:    implicit transaction, reads
MATCH (c:Closet {id: $closet})-[:HAS_DRAWER]->(d:Drawer)
WHERE c.palace = $palace
RETURN d.id AS id
ORDER BY d.position, id
