// clear_answers: delete the kept answers of a palace that have words, because something of the palace is forgotten. The keys stay.
// params:  palace (string)
// returns: cleared (int)
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (k:WriteKey {says: $palace})
SET k.answer = null, k.says = null
RETURN count(*) AS cleared
