// list_due_palaces: list the palaces that have drawers whose names are still to be read.
// params:
// returns: palace (string)
// runs:    implicit transaction, reads
MATCH (p:Palace)
WHERE EXISTS { MATCH (d:Drawer) USING INDEX d:Drawer(names_due) WHERE d.names_due = p.name }
RETURN p.name AS palace
ORDER BY palace
