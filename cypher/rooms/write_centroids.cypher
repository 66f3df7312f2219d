// write_centroids: store the mean direction of each room's drawers; remove it from the other rooms of the palace, which are empty.
// params:  palace (string), rooms (list of {id, centroid})
// returns:
// runs:    implicit transaction, safe to repeat
CALL () {
  MATCH (:Palace {name: $palace})-[:CONTAINS]->(:Wing)-[:HAS_ROOM]->(r:Room)
  WHERE r.centroid IS NOT NULL AND NOT r.id IN [row IN $rooms | row.id]
  REMOVE r.centroid
}
UNWIND $rooms AS row
MATCH (r:Room {id: row.id})
SET r.centroid = row.centroid
