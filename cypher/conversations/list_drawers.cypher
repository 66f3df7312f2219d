// list_drawers: the drawers of a conversation in the order in which they were filed, with what may be marks of masked secrets.
// params:  palace (string), closet (string), mark (string or null: how a mark begins; null: look for none)
// returns: id (string), turn (string or null), marks (list of string: what follows each beginning of a mark, up to the next bracket)
// runs:    implicit transaction, reads
MATCH (c:Closet {id: $closet})-[:HAS_DRAWER]->(d:Drawer)
WHERE c.palace = $palace
RETURN
  d.id AS id, d.turn AS turn,
  CASE WHEN $mark IS NULL THEN [] ELSE [part IN tail(split(d.text, $mark)) WHERE part CONTAINS ']' | split(part, ']')[0]] END AS marks
ORDER BY d.position, id
