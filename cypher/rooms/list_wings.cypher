// list_wings: list the wings of a palace with their counts.
// params:  palace (string)
// returns: id (string), name (string), wing_type (string), language (string or null), created_at (string), rooms (int), closets (int), drawers (int)
// runs:    implicit transaction, reads
MATCH (:Palace {name: $palace})-[:CONTAINS]->(w:Wing)
RETURN
  w.id AS id, w.name AS name, w.wing_type AS wing_type, w.language AS language, toString(w.created_at) AS created_at,
  COUNT { MATCH (w)-[:HAS_ROOM]->(:Room) } AS rooms,
  COUNT { MATCH (c:Closet {palace: $palace, wing_id: w.id}) } AS closets,
  COUNT { MATCH (d:Drawer {palace: $palace, wing_id: w.id}) } AS drawers
ORDER BY name
