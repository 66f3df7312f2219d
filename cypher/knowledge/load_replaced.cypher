// load_replaced: the drawers whose place others have taken.
// params:  palace (string)
// returns: drawers (list of [id, id of the other, since (datetime)])
// runs:    implicit transaction, reads
MATCH (old:Drawer)-[r:REPLACED_BY {palace: $palace}]->(new:Drawer)
RETURN collect([old.id, new.id, r.since]) AS drawers
