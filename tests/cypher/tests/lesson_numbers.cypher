// lesson_numbers: the numbers of a palace's lessons.
// params:  palace (string)
// returns: learned (int)
// runs:    implicit transaction, reads
MATCH (f:Feedback) WHERE f.palace = $palace AND f.learned IS NOT NULL
RETURN f.learned AS learned ORDER BY learned
