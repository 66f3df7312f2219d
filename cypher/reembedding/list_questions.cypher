// list_questions: list the questions of a palace's feedback.
// params:  palace (string)
// returns: id (string), query (string)
// runs:    implicit transaction, reads
MATCH (f:Feedback)
WHERE f.palace = $palace AND f.learned >= 0
RETURN f.id AS id, coalesce(f.query, '') AS query ORDER BY id
