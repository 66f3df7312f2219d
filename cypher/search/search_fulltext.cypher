// search_fulltext: the best drawers by the sum of Lucene's BM25 over indexes.
// params:  asked (list of {index, query}), each (int), limit (int)
// returns: id (string), score (float)
// runs:    implicit transaction, reads
UNWIND $asked AS ask
CALL db.index.fulltext.queryNodes(ask.index, ask.query, {limit: $each}) YIELD node, score
WITH node, sum(score) AS score
RETURN node.id AS id, score
ORDER BY score DESC, id
LIMIT $limit
