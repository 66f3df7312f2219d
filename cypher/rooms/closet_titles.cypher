// closet_titles: list the closets of a room that came from files, with titles and drawers, from which rooms are named.
// params:  room_id (string)
// returns: id (string), title (string), drawers (list of string)
// runs:    implicit transaction, reads
MATCH (:Room {id: $room_id})-[:HAS_CLOSET]->(c:Closet)
WHERE c.content_hash IS NOT NULL // drawers that callers stored one by one stay in their room
RETURN c.id AS id, c.title AS title, COLLECT { MATCH (c)-[:HAS_DRAWER]->(d:Drawer) RETURN d.id } AS drawers
ORDER BY id
