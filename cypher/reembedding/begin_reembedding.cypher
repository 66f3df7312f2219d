// begin_reembedding: record to which model the vectors of a palace are being computed anew, if none of an earlier change are left.
// params:  palace (string), model (string or null: to none), dimension (int or null)
// returns: begun (bool); if false, no change goes on, and what is left can be cleared
// runs:    explicit transaction that has locked the palace, safe to repeat; __PALACE__ stands for the checked name
MATCH (p:Palace {name: $palace})
WITH
  p,
  p.embedding_property IS NULL AND NOT EXISTS { MATCH (d:Drawer___PALACE__) WHERE d.next_embedding IS NOT NULL } AS begun
SET p.next_model = CASE WHEN begun THEN $model END, p.next_dimension = CASE WHEN begun THEN $dimension END
RETURN begun
