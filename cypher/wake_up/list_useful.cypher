// list_useful: the drawers that the latest feedback called useful, the latest feedback first.
// params:  palace (string), wing_id (string or null), other_than (string or null: a wing that is left out), limit (int)
// returns: id (string), text (string)
// runs:    implicit transaction, reads
MATCH (f:Feedback)
WHERE f.palace = $palace AND f.learned > 0 AND ($wing_id IS NULL OR $wing_id IN f.wings)
WITH f ORDER BY f.learned DESC LIMIT $limit
MATCH (f)-[r:USEFUL]->(d:Drawer)
WHERE ($wing_id IS NULL OR d.wing_id = $wing_id) AND coalesce(d.wing_id <> $other_than, true)
WITH d, max([f.learned, r.reward]) AS last
RETURN d.id AS id, left(d.text, 400) AS text
ORDER BY last[0] DESC, last[1] DESC, d.id
LIMIT $limit
