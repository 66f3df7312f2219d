// reset: forget all feedback of a palace, or of one wing, and what it left on drawers and lanes.
// params:  palace (string), wing (string or null)
// returns: forgotten (int)
// runs:    explicit transaction, safe to repeat
MATCH (p:Palace {name: $palace})
SET p.learned = coalesce(p.learned, 0) + 1, p.forgot = coalesce(p.forgot, 0) + 1
WITH p
CALL () {
  MATCH (:Palace {name: $palace})-[:CONTAINS]->(w:Wing)-[e:ANSWERED_BY]->(:Lane)
  WHERE $wing IS NULL OR w.id = $wing
  DELETE e
}
CALL () {
  MATCH (f:Feedback)
  WHERE f.palace = $palace AND ($wing IS NULL OR $wing IN f.wings)
  CALL (f) {
    MATCH (f)-[:USEFUL]->(d:Drawer)
    REMOVE d.narrative_vector, d.narrative_strength, d.narrative_cycle
  }
  DETACH DELETE f
  RETURN count(*) AS forgotten
}
RETURN forgotten
