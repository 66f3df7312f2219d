// read_turns: read the drawers that hold pieces of some turns, in the order in which they were filed.
// params:  palace (string), turns (list of string)
// returns: turn (string), id (string), text (string), closet (string), edited (bool)
// runs:    implicit transaction, reads
UNWIND $turns AS turn
MATCH (d:Drawer {turn: turn})
WHERE d.palace = $palace
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
RETURN turn, d.id AS id, d.text AS text, c.id AS closet, d.changed_at IS NOT NULL AS edited
ORDER BY turn, d.position
