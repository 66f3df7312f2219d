// allow_again: delete the marks that keep a conversation and its turns from being filed again.
// params:  palace (string), closet (string), conversation (string: id of its mark)
// returns: marks (int)
// runs:    implicit transaction, safe to repeat
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p
WHERE p.dropped_at IS NULL
CALL () {
  MATCH (f:ForgottenMark {closet: $closet}) RETURN f
  UNION
  MATCH (f:ForgottenMark {id: $conversation}) RETURN f
}
DELETE f
RETURN count(*) AS marks
