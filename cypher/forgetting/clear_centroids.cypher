// clear_centroids: forget the mean vectors of the rooms of some drawers. They are computed again when the palace is settled.
// params:  drawers (list of string)
// returns: rooms (int)
// runs:    explicit transaction that has locked the palace, before the drawers are deleted
UNWIND $drawers AS id
MATCH (d:Drawer {id: id})
WITH DISTINCT d.room_id AS room
MATCH (r:Room {id: room})
SET r.centroid = null
RETURN count(*) AS rooms
