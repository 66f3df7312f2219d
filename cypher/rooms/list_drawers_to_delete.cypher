// list_drawers_to_delete: list a batch of drawers of a wing, a room or some closets.
// params:  palace (string), wing_id (string or null), room_id (string or null), closet_ids (list of string), limit (int)
// returns: id (string)
// runs:    explicit transaction, reads
CALL () {
  MATCH (d:Drawer {palace: $palace, wing_id: $wing_id}) RETURN d
  UNION
  MATCH (d:Drawer {palace: $palace, room_id: $room_id}) RETURN d
  UNION
  UNWIND $closet_ids AS closet_id MATCH (:Closet {id: closet_id})-[:HAS_DRAWER]->(d:Drawer) RETURN d
}
RETURN d.id AS id
LIMIT $limit
