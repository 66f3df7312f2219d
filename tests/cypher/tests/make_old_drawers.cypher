// make_old_drawers: drawers as they were stored before their words were.
// params:  palace (string)
// returns:
// runs:    implicit transaction
MATCH (d:Drawer {palace: $palace})
REMOVE d.words, d.title_words
