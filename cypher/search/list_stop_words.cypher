// list_stop_words: list the words that analyzers leave out of texts and questions, of all languages.
// params:
// returns: words (list of string)
// runs:    implicit transaction, reads
CALL db.index.fulltext.listAvailableAnalyzers() YIELD stopwords
UNWIND stopwords AS word
RETURN collect(DISTINCT word) AS words
