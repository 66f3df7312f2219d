// list_drawers_of_closets: list the drawers of closets in a room.
// params:  rooms (list of {room_id, closets: list of string})
// returns: room_id (string), closet_id (string), drawers (list of string)
// runs:    implicit transaction, reads
UNWIND $rooms AS room
UNWIND room.closets AS id
MATCH (c:Closet {id: id})-[:HAS_DRAWER]->(d:Drawer)
WHERE d.room_id = room.room_id
RETURN room.room_id AS room_id, c.id AS closet_id, collect(d.id) AS drawers
