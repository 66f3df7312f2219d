// list_stored_since: list the drawers of a wing that were stored or changed after a revision of the palace.
// params:  palace (string), revision (int), wing_id (string)
// returns: id (string), embedding (bytes)
// runs:    explicit transaction that has locked the palace
MATCH (c:Change {palace: $palace})
WHERE c.revision > $revision
UNWIND c.stored AS id
WITH DISTINCT id
MATCH (d:Drawer {id: id})
WHERE d.wing_id = $wing_id
MATCH (p:Palace {name: $palace})
RETURN d.id AS id, d[coalesce(p.embedding_property, 'embedding')] AS embedding
