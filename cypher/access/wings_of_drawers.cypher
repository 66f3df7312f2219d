// wings_of_drawers: find the wings of drawers; ids that are not in the palace give no row.
// params:  palace (string), ids (list of string)
// returns: id (string), wing (string)
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (d:Drawer {id: id})
WHERE d.palace = $palace
MATCH (w:Wing {id: d.wing_id})
RETURN id, w.name AS wing
