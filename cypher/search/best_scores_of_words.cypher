// best_scores_of_words: the most that each word alone gives to any drawer; their sum is the most that a query can give.
// params:  indexes (list of string), words (list of string)
// returns: word (string), most (float); words that are nowhere give no row
// runs:    implicit transaction, reads
UNWIND $words AS word
UNWIND $indexes AS index
CALL db.index.fulltext.queryNodes(index, 'words:' + word, {limit: 1}) YIELD score
RETURN word, sum(score) AS most
