// move_vectors: put the new vectors of drawers into their usual place, too.
// params:  drawers (list of {id, embedding_int8})
// returns: moved (int)
// runs:    explicit transaction that has locked the palace, after read_next_vectors, safe to repeat
UNWIND $drawers AS row
MATCH (d:Drawer {id: row.id})
SET
  d.embedding = d.next_embedding,
  d.embedding_int8 = CASE WHEN d.embedding_int8 IS NOT NULL THEN row.embedding_int8 END // null: it is not indexed
RETURN count(*) AS moved
