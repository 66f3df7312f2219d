// find_feedback: read the feedback whose question found some drawers, or that judged them, as far as it names drawers.
// params:  palace (string), drawers (list of string)
// returns: feedback (map), judged (bool: whether it judged one of the drawers), others (int: what else it judged)
// runs:    implicit transaction, reads
MATCH (f:Feedback)
WHERE f.palace = $palace AND f.learned IS NOT NULL
WITH f, COLLECT { MATCH (f)-[:USEFUL|USELESS]->(one) RETURN one.id } AS judged
WITH f, judged, size([one IN judged WHERE NOT one IN $drawers]) AS others
WHERE others < size(judged) OR any(found IN f.candidates WHERE found IN $drawers)
RETURN
  f {.id, .query, .candidates, .evidence, .shown, .log_odds, .answer_log_odds, .other_lanes, .other_evidence} AS feedback, others < size(judged) AS judged, others
