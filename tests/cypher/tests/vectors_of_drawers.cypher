// vectors_of_drawers: read all vectors of the drawers.
// params:
// returns: id (string), embedding, int8, next, narrative (bytes or null)
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
MATCH (d:Drawer___PALACE__)
RETURN d.id AS id, d.embedding AS embedding, d.embedding_int8 AS int8, d.next_embedding AS next, d.narrative_vector AS narrative
