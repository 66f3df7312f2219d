// search_fulltext: the best drawers by Lucene's BM25.
// params:  index (string), query (string), limit (int)
// returns: id (string), score (float)
// runs:    implicit transaction, reads
CALL db.index.fulltext.queryNodes($index, $query, {limit: $limit}) YIELD node, score
RETURN node.id AS id, score
