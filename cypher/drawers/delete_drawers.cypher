// delete_drawers: delete drawers with their edges.
// params:  ids (list of string)
// returns: deleted (list of string), closets (list of string)
// runs:    explicit transaction, safe to repeat
UNWIND $ids AS id
MATCH (d:Drawer {id: id})
OPTIONAL MATCH (c:Closet)-[:HAS_DRAWER]->(d)
WITH d, d.id AS id, c.id AS closet
DETACH DELETE d
RETURN collect(id) AS deleted, collect(DISTINCT closet) AS closets
