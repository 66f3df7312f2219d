// load_lessons: load feedback that was given since a state of the learning and has not faded, newest first.
// params:  palace (string), seen (int), since_cycle (int), most (int)
// returns: lesson (map), useful (list of [drawer, reward]), useless (list of [drawer, reward])
// runs:    implicit transaction, reads
MATCH (f:Feedback)
WHERE f.palace = $palace AND f.learned > $seen AND f.cycle >= $since_cycle
  AND size(f.wings) > 0  // feedback that judges only documents of callers has no wing, and nothing is learned from it
WITH f ORDER BY f.learned DESC LIMIT $most
RETURN
  f {.id, .asking, .query, .question, .candidates, .evidence, .shown, .log_odds, .answer_log_odds, .other_lanes, .other_evidence, .wings,
    .cycle} AS lesson,
  COLLECT { MATCH (f)-[r:USEFUL]->(d:Drawer) RETURN [d.id, r.reward] ORDER BY d.id } AS useful,
  COLLECT { MATCH (f)-[r:USELESS]->(d:Drawer) RETURN [d.id, r.reward] ORDER BY d.id } AS useless
