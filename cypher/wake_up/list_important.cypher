// list_important: the drawers whose importance is above the usual, the most important first, then the newest.
// params:  palace (string), wing_id (string or null), other_than (string or null: a wing that is left out), usual (float), limit (int)
// returns: id (string), text (string)
// runs:    implicit transaction, reads
MATCH (:Palace {name: $palace})-[:CONTAINS]->(w:Wing)
WHERE ($wing_id IS NULL OR w.id = $wing_id) AND coalesce(w.id <> $other_than, true)
CALL (w) {
  MATCH (d:Drawer)
  WHERE d.palace = $palace AND d.wing_id = w.id AND d.importance > $usual
  RETURN d
  ORDER BY d.importance DESC, d.created_at DESC, d.id
  LIMIT $limit
}
RETURN d.id AS id, left(d.text, 400) AS text
ORDER BY d.importance DESC, d.created_at DESC, d.id
LIMIT $limit
