// make_old_words: the words of drawers as an earlier version has made them.
// params:  palace (string)
// returns:
// runs:    implicit transaction
MATCH (p:Palace {name: $palace})
REMOVE p.words_form
WITH p
MATCH (d:Drawer {palace: $palace})
WHERE d.words IS NOT NULL
SET d.words = d.text, d.title_words = 'old'
