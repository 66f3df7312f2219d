// give_feedback: store a feedback and the memories of its drawers, and link the drawers' wings to the lanes that answered.
// params:  palace (string), id (string), properties (map), useful (list of {drawer, reward}), useless (list of {drawer, reward}), narratives (list of {drawer, vector, strength}), answered (list of {wing, lane, id}), cycle (int)
// returns: learned (int)
// runs:    explicit transaction
MATCH (p:Palace {name: $palace})
WITH p, coalesce(p.learned, 0) + 1 AS learned
SET p.learned = learned
CREATE (f:Feedback {id: $id, palace: $palace})
SET f += $properties, f.learned = learned, f.cycle = $cycle, f.given_at = datetime()
WITH p, f
CALL (f) {
  UNWIND $useful AS row
  MATCH (d:Drawer {id: row.drawer})
  CREATE (f)-[:USEFUL {reward: row.reward}]->(d)
}
CALL (f) {
  UNWIND $useless AS row
  MATCH (d:Drawer {id: row.drawer})
  CREATE (f)-[:USELESS {reward: row.reward}]->(d)
}
CALL () {
  UNWIND $narratives AS row
  MATCH (d:Drawer {id: row.drawer})
  SET d.narrative_vector = row.vector, d.narrative_strength = row.strength, d.narrative_cycle = $cycle
}
CALL () {
  UNWIND $answered AS row
  MATCH (w:Wing {id: row.wing})
  MERGE (l:Lane {id: row.id})
    ON CREATE SET l.palace = $palace, l.name = row.lane
  MERGE (w)-[:ANSWERED_BY]->(l)
}
RETURN p.learned AS learned
