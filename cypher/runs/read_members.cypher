// read_members: what a fusion needs to know of drawers, closet by closet; drawers that are not there are left out.
// params:  palace (string), ids (list of string)
// returns: closet (string), family (string), codes (list of string), drawers (list of string)
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (d:Drawer {id: id})
WHERE d.palace = $palace
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
WITH c, collect(d.id) AS drawers
RETURN c.id AS closet, coalesce(c.family_id, '') AS family, coalesce(c.codes, []) AS codes, drawers
