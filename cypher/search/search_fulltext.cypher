// search_fulltext: the best drawers by the sum of Lucene's BM25 over indexes.
// params:  palace (string), asked (list of {index, query}), each (int), limit (int)
// returns: ids (list of string), scores (list of float), state (string: of the palace); no row if nothing is found
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $palace})
UNWIND $asked AS ask
CALL db.index.fulltext.queryNodes(ask.index, ask.query, {limit: $each}) YIELD node, score
WITH p, node, sum(score) AS score
WITH p, node.id AS id, score
ORDER BY score DESC, id
LIMIT $limit
RETURN toString(p.created_at) + ' ' + p.revision AS state, collect(id) AS ids, collect(score) AS scores
