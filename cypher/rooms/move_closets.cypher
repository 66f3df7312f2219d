// move_closets: move the drawers of closets from one room into another.
// params:  moves (list of {closet_id, room_id, room}), from_room (string)
// returns: drawers (list of string)
// runs:    explicit transaction, safe to repeat
UNWIND $moves AS row
MATCH (:Closet {id: row.closet_id})-[:HAS_DRAWER]->(d:Drawer {room_id: $from_room})
SET d.room_id = row.room_id, d.room = row.room
RETURN collect(d.id) AS drawers
