// list_imported: the drawers of a palace that were imported and are still to be compared with the others.
// params:
// returns: id (string)
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
MATCH (d:Drawer___PALACE__)
WHERE d.imported IS NOT NULL
RETURN d.id AS id
ORDER BY id
