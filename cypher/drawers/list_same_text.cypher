// list_same_text: list drawers with exactly this text.
// params:  text (string), wing_id (string or null), limit (int)
// returns: id (string)
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
MATCH (d:Drawer___PALACE__)
WHERE ($wing_id IS NULL OR d.wing_id = $wing_id) AND d.text = $text
RETURN d.id AS id
ORDER BY id
LIMIT $limit
