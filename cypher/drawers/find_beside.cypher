// find_beside: the place of a drawer in its closet, the drawers before and after it there, and the one that took its place.
// params:  palace (string), id (string)
// returns: number (int, from 1), of (int), previous (string or null), next (string or null), replaced ({by, since} or null); no row if the drawer is not in the palace
// runs:    implicit transaction, reads
MATCH (d:Drawer {id: $id})
WHERE d.palace = $palace
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
RETURN
  1 + COUNT {
    MATCH (c)-[:HAS_DRAWER]->(o:Drawer)
    WHERE o.position < d.position OR (o.position = d.position AND o.id < d.id)
  } AS number,
  COUNT { (c)-[:HAS_DRAWER]->(:Drawer) } AS of,
  head(COLLECT {
    MATCH (c)-[:HAS_DRAWER]->(o:Drawer)
    WHERE o.position < d.position OR (o.position = d.position AND o.id < d.id)
    WITH o ORDER BY o.position DESC, o.id DESC LIMIT 1
    RETURN o.id
  }) AS previous,
  head(COLLECT {
    MATCH (c)-[:HAS_DRAWER]->(o:Drawer)
    WHERE o.position > d.position OR (o.position = d.position AND o.id > d.id)
    WITH o ORDER BY o.position, o.id LIMIT 1
    RETURN o.id
  }) AS next,
  head(COLLECT {
    MATCH (d)-[r:REPLACED_BY]->(other:Drawer)
    RETURN {by: other.id, since: toString(r.since)}
  }) AS replaced
