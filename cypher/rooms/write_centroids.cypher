// write_centroids: the mean direction of what each room holds; the other rooms of the palace, which are empty, lose theirs.
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
