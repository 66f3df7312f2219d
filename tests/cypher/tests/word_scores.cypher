// word_scores: score every drawer that has a word.
// params:  index (string), word (string)
// returns: text (string), score (float)
// runs:    implicit transaction, reads
CALL db.index.fulltext.queryNodes($index, $word) YIELD node, score
RETURN node.text AS text, score
