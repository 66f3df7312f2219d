// read_next_vectors: read the new vectors of drawers, if the palace answers with them.
// params:  palace (string), ids (list of string)
// returns: id (string), embedding (bytes)
// runs:    explicit transaction that has locked the palace
MATCH (p:Palace {name: $palace})
WHERE p.embedding_property IS NOT NULL
UNWIND $ids AS id
MATCH (d:Drawer {id: id})
WHERE d.next_embedding IS NOT NULL
RETURN d.id AS id, d.next_embedding AS embedding
