// renew_words: store words that another version has made otherwise, and note how far the palace is.
// params:  palace (string), drawers (list of {id, property, words, title_words}), renewed_to (string: id of the last drawer that was looked at)
// returns: drawers (int)
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (p:Palace {name: $palace})
SET p.words_renewed_to = $renewed_to
WITH 1 AS one
UNWIND $drawers AS row
MATCH (d:Drawer {id: row.id})
SET d[row.property] = row.words, d['title_' + row.property] = row.title_words
RETURN count(*) AS drawers
