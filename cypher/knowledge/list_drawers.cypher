// list_drawers: list drawers that mention an entity: those of the document that it is the title of first, then those that mention it most.
// params:  id (string), offset (int), limit (int)
// returns: drawer, text, closet, wing, room (strings), count (int), is_title (bool)
// runs:    implicit transaction, reads
MATCH (:Entity {id: $id})<-[r:REFERENCES]-(d:Drawer)
WITH d, r ORDER BY r.is_title DESC, r.count DESC, d.id SKIP $offset LIMIT $limit
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
MATCH (room:Room {id: d.room_id})
MATCH (w:Wing {id: d.wing_id})
RETURN
  d.id AS drawer, left(d.text, 300) AS text, c.title AS closet, w.name AS wing, room.name AS room,
  coalesce(r.count, 0) AS count, coalesce(r.is_title, false) AS is_title
ORDER BY is_title DESC, count DESC, drawer
