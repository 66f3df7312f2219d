// read_answered: read the feedback for which some drawers were useful, oldest first.
// params:  palace (string), drawers (list of string), most (int)
// returns: drawer (string), answered (list of [question, reward, cycle])
// runs:    explicit transaction, reads
UNWIND $drawers AS id
MATCH (d:Drawer {id: id})
WHERE d.palace = $palace
RETURN
  d.id AS drawer,
  COLLECT {
    MATCH (f:Feedback)-[r:USEFUL]->(d)
    WITH f, r ORDER BY f.learned DESC LIMIT $most
    RETURN [f.question, r.reward, f.cycle] ORDER BY f.learned
  } AS answered
