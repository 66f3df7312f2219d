// select_drawers: select drawers by their ids, the URI of their source, or their place; all that is given must hold.
// params:  palace (string), ids (list of string or null), source (string or null), wing_id (string or null), room_ids (list of string or null)
// returns: closet (string), wing_id (string), drawers (list of string): those that are selected, of (int): how many the closet has
// runs:    implicit transaction, reads
CALL () {
  UNWIND coalesce($ids, []) AS id
  MATCH (d:Drawer {id: id})
  RETURN d
  UNION
  MATCH (c:Closet)
  WHERE $ids IS NULL AND c.palace = $palace AND c.wing_id IS NOT NULL
    AND (c.source_uri = $source OR c.source_uri STARTS WITH $source + '#')
  MATCH (c)-[:HAS_DRAWER]->(d:Drawer)
  RETURN d
  UNION
  MATCH (d:Drawer {palace: $palace, wing_id: $wing_id})
  WHERE $ids IS NULL AND $source IS NULL
  RETURN d
}
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
WHERE d.palace = $palace
  AND ($wing_id IS NULL OR d.wing_id = $wing_id)
  AND ($room_ids IS NULL OR d.room_id IN $room_ids)
  AND ($source IS NULL OR c.source_uri = $source OR c.source_uri STARTS WITH $source + '#')
WITH c, collect(DISTINCT d.id) AS drawers
RETURN c.id AS closet, c.wing_id AS wing_id, drawers, COUNT { (c)-[:HAS_DRAWER]->(:Drawer) } AS of
ORDER BY closet
