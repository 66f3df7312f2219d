// count_unread: count the drawers from which the extractor has not read facts.
// params:  wing_id (string or null), room_ids (list of string or null)
// returns: drawers (int)
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
MATCH (d:Drawer___PALACE__)
WHERE d.facts_read_at IS NULL AND ($wing_id IS NULL OR d.wing_id = $wing_id) AND ($room_ids IS NULL OR d.room_id IN $room_ids)
RETURN count(d) AS drawers
