// list_unread: list some drawers from which the extractor has not read facts.
// params:  wing_id (string or null), room_ids (list of string or null), after (string: id), limit (int)
// returns: id, title, text, said_at, stamp (strings; the stamp differs once the text is changed)
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
MATCH (d:Drawer___PALACE__)
WHERE d.facts_read_at IS NULL AND d.id > $after
  AND ($wing_id IS NULL OR d.wing_id = $wing_id) AND ($room_ids IS NULL OR d.room_id IN $room_ids)
WITH d ORDER BY d.id LIMIT $limit
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
RETURN
  d.id AS id, c.title AS title, d.text AS text, toString(coalesce(d.occurred_at, d.created_at)) AS said_at,
  coalesce(toString(d.changed_at), '') AS stamp
ORDER BY id
