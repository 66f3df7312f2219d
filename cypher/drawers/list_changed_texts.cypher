// list_changed_texts: list those of some drawers whose text was changed since they were stored.
// params:  ids (list of string)
// returns: id (string), text (string)
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (d:Drawer {id: id})
WHERE d.changed_at IS NOT NULL
RETURN d.id AS id, d.text AS text
