// mark_linked: note that imported drawers were compared with the others.
// params:  ids (list of string)
// returns: drawers (int)
// runs:    explicit transaction, safe to repeat
UNWIND $ids AS id
MATCH (d:Drawer {id: id})
REMOVE d.imported
RETURN count(*) AS drawers
