// closet_titles: list the closets of a room that came from files, with what their topics are found by.
// params:  room_id (string)
// returns: id (string), title (string), source_uri (string), tags (list of string), drawers (list of string, in the order of the text)
// runs:    implicit transaction, reads
MATCH (:Room {id: $room_id})-[:HAS_CLOSET]->(c:Closet)
WHERE c.content_hash IS NOT NULL // drawers that callers stored one by one stay in their room
RETURN
  c.id AS id, c.title AS title, c.source_uri AS source_uri, coalesce(c.tags, []) AS tags,
  COLLECT { MATCH (c)-[:HAS_DRAWER]->(d:Drawer) RETURN d.id ORDER BY d.position, d.id } AS drawers
ORDER BY id
