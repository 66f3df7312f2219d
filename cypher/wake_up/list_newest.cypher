// list_newest: the drawers that were said, stored or corrected last, the latest first. What was said long ago is not new when it is stored.
// params:  palace (string), wing_id (string or null), now (datetime), limit (int)
// returns: id (string), text (string), at (datetime)
// runs:    implicit transaction, reads
MATCH (:Palace {name: $palace})-[:CONTAINS]->(w:Wing)
WHERE $wing_id IS NULL OR w.id = $wing_id
CALL (w) {
  MATCH (d:Drawer)
  WHERE d.palace = $palace AND d.wing_id = w.id AND d.created_at IS NOT NULL
  RETURN d
  ORDER BY d.created_at DESC, d.id
  LIMIT $limit
  UNION
  MATCH (d:Drawer)
  WHERE d.palace = $palace AND d.wing_id = w.id AND d.occurred_at <= $now
  RETURN d
  ORDER BY d.occurred_at DESC, d.id
  LIMIT $limit
  UNION
  MATCH (d:Drawer)
  WHERE d.palace = $palace AND d.wing_id = w.id AND d.changed_at IS NOT NULL
  RETURN d
  ORDER BY d.changed_at DESC, d.id
  LIMIT $limit
}
WITH d, CASE WHEN d.occurred_at <= $now THEN d.occurred_at ELSE d.created_at END AS began
WITH d, CASE WHEN d.changed_at > began THEN d.changed_at ELSE began END AS at
RETURN d.id AS id, left(d.text, 400) AS text, at
ORDER BY at DESC, d.position DESC, d.id
LIMIT $limit
