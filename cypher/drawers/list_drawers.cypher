// list_drawers: a page of drawers in the order of their ids.
// params:  palace (string), wing_id (string or null), room_ids (list of string or null), after (string), limit (int)
// returns: id (string)
// runs:    implicit transaction, reads
MATCH (d:Drawer)
WHERE d.id > $after AND d.palace = $palace
  AND ($wing_id IS NULL OR d.wing_id = $wing_id)
  AND ($room_ids IS NULL OR d.room_id IN $room_ids)
RETURN d.id AS id
ORDER BY id
LIMIT $limit
