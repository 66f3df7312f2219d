// list_open: the drawers of rooms whose names say that something is to be answered or done, the newest first.
// params:  palace (string), wing_id (string or null), other_than (string or null: a wing that is left out), rooms (list of string: names in small letters), limit (int)
// returns: id (string), text (string)
// runs:    implicit transaction, reads
MATCH (:Palace {name: $palace})-[:CONTAINS]->(w:Wing)-[:HAS_ROOM]->(r:Room)
WHERE ($wing_id IS NULL OR w.id = $wing_id) AND coalesce(w.id <> $other_than, true) AND toLower(r.name) IN $rooms
MATCH (d:Drawer {palace: $palace, room_id: r.id})
RETURN d.id AS id, left(d.text, 400) AS text
ORDER BY d.created_at DESC, d.id
LIMIT $limit
