// nearest_by_index: ask the palace's vector index.
// params:  index (string), vector (list of float)
// returns: id (string), score (float), cosine (float)
// runs:    implicit transaction, reads
CALL db.index.vector.queryNodes($index, 3, $vector) YIELD node, score
RETURN node.id AS id, score, vector.similarity.cosine(node.embedding_int8, $vector) AS cosine
