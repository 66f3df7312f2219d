// read_documents_answered: read the feedback for which some documents of callers were useful, oldest first.
// params:  palace (string), documents (list of string), most (int)
// returns: document (string), answered (list of [question, reward, cycle])
// runs:    explicit transaction, reads
UNWIND $documents AS id
MATCH (c:CallerDocument {id: id})
WHERE c.palace = $palace
RETURN
  c.id AS document,
  COLLECT {
    MATCH (f:Feedback)-[r:USEFUL]->(c)
    WITH f, r ORDER BY f.learned DESC LIMIT $most
    RETURN [f.question, r.reward, f.cycle] ORDER BY f.learned
  } AS answered
