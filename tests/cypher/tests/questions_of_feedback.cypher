// questions_of_feedback: read the vectors of the questions of a palace's feedback.
// params:  palace (string)
// returns: question (bytes)
// runs:    implicit transaction, reads
MATCH (f:Feedback {palace: $palace})
RETURN f.question AS question
