// resolve_place: find a wing by name, and rooms by name in that wing or in all wings.
// params:  palace (string), wing (string or null), room (string or null)
// returns: wing_id (string or null), room_ids (list of string), wings (list of string), rooms (list of string)
// runs:    implicit transaction, reads
OPTIONAL MATCH (w:Wing {palace: $palace, name: $wing})
RETURN
  w.id AS wing_id,
  COLLECT {
    MATCH (:Palace {name: $palace})-[:CONTAINS]->(o:Wing)-[:HAS_ROOM]->(r:Room {name: $room})
    WHERE $wing IS NULL OR o.name = $wing
    RETURN r.id ORDER BY r.id
  } AS room_ids,
  COLLECT { MATCH (:Palace {name: $palace})-[:CONTAINS]->(o:Wing) RETURN o.name ORDER BY o.name LIMIT 20 } AS wings,
  COLLECT {
    MATCH (:Palace {name: $palace})-[:CONTAINS]->(o:Wing)-[:HAS_ROOM]->(r:Room)
    WHERE $wing IS NULL OR o.name = $wing
    RETURN DISTINCT r.name AS name ORDER BY name LIMIT 20
  } AS rooms
