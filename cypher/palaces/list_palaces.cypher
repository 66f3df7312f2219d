// list_palaces: list all palaces with their counts.
// params:
// returns: name (string), created_at (string), model (string), dimension (int), wings (int), rooms (int), closets (int), drawers (int)
// runs:    implicit transaction, reads
MATCH (p:Palace)
WHERE p.dropped_at IS NULL
RETURN
  p.name AS name, toString(p.created_at) AS created_at, p.embedding_model AS model, p.embedding_dimension AS dimension,
  COUNT { MATCH (p)-[:CONTAINS]->(:Wing) } AS wings,
  COUNT { MATCH (p)-[:CONTAINS]->(:Wing)-[:HAS_ROOM]->(:Room) } AS rooms,
  COUNT { MATCH (c:Closet) WHERE c.palace = p.name AND c.wing_id IS NOT NULL } AS closets,
  COUNT { MATCH (d:Drawer) WHERE d.palace = p.name AND d.wing_id IS NOT NULL } AS drawers
ORDER BY name
