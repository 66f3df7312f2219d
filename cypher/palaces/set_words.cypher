// set_words: store the words by which the search finds drawers.
// params:  drawers (list of {id, words, title_words})
// returns: drawers (int)
// runs:    implicit transaction, safe to repeat
UNWIND $drawers AS row
MATCH (d:Drawer {id: row.id})
SET d.words = row.words, d.title_words = row.title_words
RETURN count(*) AS drawers
