// list_newest: the drawers that were said, stored or corrected last, the latest first. What was said long ago is not new when it is stored. Of a conversation or a file there are only the first drawers, and those that were corrected.
// params:  palace (string), wing_id (string or null), other_than (string or null: a wing that is left out), now (datetime), loose (list of string: how the URIs of closets begin whose drawers do not belong together), first (int: drawers of the others), most_read (int: drawers of a wing), limit (int)
// returns: id (string), text (string), at (datetime)
// runs:    implicit transaction, reads
MATCH (:Palace {name: $palace})-[:CONTAINS]->(w:Wing)
WHERE ($wing_id IS NULL OR w.id = $wing_id) AND coalesce(w.id <> $other_than, true)
CALL (w) {
  MATCH (d:Drawer)
  WHERE d.palace = $palace AND d.wing_id = w.id AND d.created_at IS NOT NULL
  RETURN d
  ORDER BY d.created_at DESC, d.id
  LIMIT $most_read
  UNION
  MATCH (d:Drawer)
  WHERE d.palace = $palace AND d.wing_id = w.id AND d.occurred_at <= $now
  RETURN d
  ORDER BY d.occurred_at DESC, d.id
  LIMIT $most_read
  UNION
  MATCH (d:Drawer)
  WHERE d.palace = $palace AND d.wing_id = w.id AND d.changed_at IS NOT NULL
  RETURN d
  ORDER BY d.changed_at DESC, d.id
  LIMIT $most_read
}
WITH d, CASE WHEN d.occurred_at <= $now THEN d.occurred_at ELSE d.created_at END AS began
WITH d, coalesce(d.changed_at > began, false) AS corrected, CASE WHEN d.changed_at > began THEN d.changed_at ELSE began END AS at
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
WITH d, at, CASE WHEN corrected OR any(start IN $loose WHERE c.source_uri STARTS WITH start) THEN d.id ELSE c.id END AS source
ORDER BY d.position
WITH source, max(at) AS newest, max(d.position) AS last, collect({drawer: d, at: at})[..$first] AS shown
ORDER BY newest DESC, last DESC, source LIMIT $limit
UNWIND shown AS one
RETURN one.drawer.id AS id, left(one.drawer.text, 400) AS text, one.at AS at
LIMIT $limit
