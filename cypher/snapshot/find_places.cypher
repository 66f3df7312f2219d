// find_places: find the wings and rooms that a name may mean: a wing, WING/ROOM, or a room of that name in any wing.
// params:  palace (string), name (string)
// returns: id (string), kind (string), name (string: unambiguous name), exact (bool)
// runs:    implicit transaction, reads
MATCH (:Palace {name: $palace})-[:CONTAINS]->(w:Wing)
CALL (w) {
  WITH w WHERE w.name = $name
  RETURN w.id AS id, 'Wing' AS kind, w.name AS name, true AS exact
  UNION ALL
  MATCH (w)-[:HAS_ROOM]->(r:Room)
  WHERE r.name = $name OR w.name + '/' + r.name = $name
  RETURN r.id AS id, 'Room' AS kind, w.name + '/' + r.name AS name, w.name + '/' + r.name = $name AS exact
}
RETURN id, kind, name, exact
ORDER BY exact DESC, name
LIMIT 20
