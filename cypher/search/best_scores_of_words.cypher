// best_scores_of_words: the most that each word alone gives to any drawer; their sum is the most that words can give.
// params:  palace (string), indexes (list of string), words (list of string)
// returns: state (string: of the palace), word (string), most (float); words that are nowhere give no row
// runs:    implicit transaction, reads
OPTIONAL MATCH (p:Palace {name: $palace})
WITH toString(p.created_at) + ' ' + p.revision AS state
UNWIND $words AS word
UNWIND $indexes AS index
CALL db.index.fulltext.queryNodes(index, 'words:' + word, {limit: 1}) YIELD score
RETURN state, word, sum(score) AS most
