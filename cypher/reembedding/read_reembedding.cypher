// read_reembedding: read how far the change of a palace's model has come; no row if there is no such palace.
// params:  palace (string)
// returns: model (string), dimension (int), next_model (string or null), next_dimension (int or null), switched (bool): whether the new model answers, but not all has followed
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $palace})
RETURN
  p.embedding_model AS model, p.embedding_dimension AS dimension, p.next_model AS next_model,
  p.next_dimension AS next_dimension, p.embedding_property IS NOT NULL AS switched
