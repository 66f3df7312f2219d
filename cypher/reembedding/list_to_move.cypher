// list_to_move: list the drawers whose new vector is not yet in its usual place.
// params:
// returns: id (string)
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
MATCH (d:Drawer___PALACE__)
WHERE d.embedding IS NULL OR d.embedding <> d.next_embedding
RETURN d.id AS id
