// read_replies: read what was said next after turns of conversations, each the first drawer of the next turn.
// params:  palace (string), ids (list of string: drawers)
// returns: turn (string: one of the ids), drawer (string), author (string or null), text (string); no row where nothing follows
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (c:Closet)-[:HAS_DRAWER]->(d:Drawer {id: id})
WHERE d.palace = $palace AND d.turn IS NOT NULL
CALL (c, d) {
  MATCH (c)-[:HAS_DRAWER]->(next:Drawer)
  WHERE next.position > d.position AND next.turn <> d.turn
  RETURN next
  ORDER BY next.position
  LIMIT 1
}
RETURN id AS turn, next.id AS drawer, next.author AS author, next.text AS text
