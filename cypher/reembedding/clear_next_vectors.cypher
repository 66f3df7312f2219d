// clear_next_vectors: remove some new vectors that no change of the model needs.
// params:  palace (string), most (int)
// returns: cleared (int)
// runs:    explicit transaction that has locked the palace, safe to repeat; __PALACE__ stands for the checked name
MATCH (p:Palace {name: $palace})
WHERE p.next_model IS NULL AND p.embedding_property IS NULL // else they are being computed, or answer already
MATCH (d:Drawer___PALACE__)
WHERE d.next_embedding IS NOT NULL
WITH d LIMIT $most
REMOVE d.next_embedding
RETURN count(*) AS cleared
