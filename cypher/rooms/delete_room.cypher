// delete_room: delete a room without drawers.
// params:  id (string)
// returns: deleted (int)
// runs:    implicit transaction, safe to repeat
MATCH (r:Room {id: $id})
WHERE NOT EXISTS { MATCH (d:Drawer {palace: r.palace, room_id: r.id}) }
DETACH DELETE r
RETURN count(*) AS deleted
