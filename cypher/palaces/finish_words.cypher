// finish_words: note that all words of a palace are of a form.
// params:  palace (string), form (int)
// returns: name (string)
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (p:Palace {name: $palace})
SET p.words_form = $form
REMOVE p.words_renewed_to
RETURN p.name AS name
