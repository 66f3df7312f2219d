// write_centroids: the mean direction of what a room holds.
// params:  rooms (list of {id, centroid})
// returns:
// runs:    implicit transaction, safe to repeat
UNWIND $rooms AS row
MATCH (r:Room {id: row.id})
SET r.centroid = row.centroid
