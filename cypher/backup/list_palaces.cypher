// list_palaces: what the indexes of each palace need.
// params:
// returns: name (string), dimension (int), analyzer (string), others (list of string: analyzers of its wings)
// runs:    implicit transaction, reads
MATCH (p:Palace)
WHERE p.dropped_at IS NULL
RETURN
  p.name AS name, p.embedding_dimension AS dimension, p.analyzer AS analyzer,
  coalesce(p.language_analyzers, []) AS others
ORDER BY name
