// list_rooms: list the rooms of a palace or of one of its wings, with their counts.
// params:  palace (string), wing (string or null)
// returns: id (string), name (string), wing_id (string), wing (string), hall_type (string), found_by (string), closets (int), drawers (int), halls (list of string), tunnels (list of string)
// runs:    implicit transaction, reads
MATCH (:Palace {name: $palace})-[:CONTAINS]->(w:Wing)-[:HAS_ROOM]->(r:Room)
WHERE $wing IS NULL OR w.name = $wing
RETURN
  r.id AS id, r.name AS name, w.id AS wing_id, w.name AS wing, r.hall_type AS hall_type, r.found_by AS found_by,
  COUNT { MATCH (r)-[:HAS_CLOSET]->(:Closet) } AS closets,
  COUNT { MATCH (d:Drawer {palace: $palace, room_id: r.id}) } AS drawers,
  COLLECT { MATCH (r)-[:HALL]-(o:Room) RETURN o.name ORDER BY o.name } AS halls,
  COLLECT { MATCH (r)-[:TUNNEL]-(o:Room)<-[:HAS_ROOM]-(ow:Wing) RETURN ow.name + '/' + o.name ORDER BY ow.name, o.name } AS tunnels
ORDER BY wing, name
