// take_read: note that the extractor has read a drawer, unless its text was changed since it was listed.
// params:  palace (string), id (string), stamp (string)
// returns: id (string); no row if the drawer was changed or deleted
// runs:    implicit transaction, safe to repeat
MATCH (d:Drawer {id: $id})
WHERE d.palace = $palace AND coalesce(toString(d.changed_at), '') = $stamp
SET d.facts_read_at = datetime()
RETURN d.id AS id
