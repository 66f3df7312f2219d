// delete_wing: delete a wing without drawers, with its empty rooms.
// params:  id (string)
// returns: deleted (int)
// runs:    implicit transaction, safe to repeat
MATCH (w:Wing {id: $id})
WHERE NOT EXISTS { MATCH (d:Drawer {palace: w.palace, wing_id: w.id}) }
OPTIONAL MATCH (w)-[:HAS_ROOM]->(r:Room)
DETACH DELETE r, w
RETURN count(*) AS deleted
