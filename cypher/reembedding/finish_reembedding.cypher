// finish_reembedding: read vectors from their usual place again, if all of them are there.
// params:  palace (string)
// returns: finished (bool)
// runs:    explicit transaction that has locked the palace, safe to repeat; __PALACE__ stands for the checked name
MATCH (p:Palace {name: $palace})
WITH
  p, p.embedding_property AS place,
  p.embedding_property IS NULL
    OR NOT EXISTS { MATCH (d:Drawer___PALACE__) WHERE d.embedding IS NULL OR d.embedding <> d.next_embedding } AS finished
SET p.embedding_property = CASE WHEN NOT finished THEN place END
RETURN finished
