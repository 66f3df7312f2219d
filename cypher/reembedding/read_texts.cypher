// read_texts: read what is embedded of drawers.
// params:  ids (list of string)
// returns: id (string), text (string), name (string or null), indexed (bool)
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (d:Drawer {id: id})
RETURN d.id AS id, d.text AS text, d.name AS name, d.embedding_int8 IS NOT NULL AS indexed
