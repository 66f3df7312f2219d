// count_learned: nodes that learning made.
// params:  palace (string)
// returns: left (int)
// runs:    implicit transaction, reads
MATCH (n:Feedback|Search|Lane|CallerDocument) WHERE n.palace = $palace
RETURN count(n) AS left
