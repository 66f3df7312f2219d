// let_go: take away what was learned of a drawer: the judgements of its text, its memory of questions and its pheromones. Feedback that judged nothing else goes too.
// params:  palace (string), id (string)
// returns: judgements (int)
// runs:    explicit transaction that has locked the palace
MATCH (p:Palace {name: $palace})
WITH p, coalesce(p.learned, 0) + 1 AS learned, coalesce(p.forgot, 0) + 1 AS forgot
SET p.learned = learned, p.forgot = forgot
WITH p
MATCH (:Closet)-[e:HAS_DRAWER]->(d:Drawer {id: $id})
SET
  e.success_pheromone = 0.0, e.traversal_pheromone = 0.0, e.recency_pheromone = 0.0, e.current_cost = e.base_cost,
  d.exploitation_pheromone = 0.0, d.exploration_pheromone = 0.0
REMOVE
  e.pheromone_cycle, e.warm_in, d.pheromone_cycle, d.warm_in, d.narrative_vector, d.narrative_strength,
  d.narrative_cycle
WITH d
OPTIONAL MATCH (f:Feedback)-[r:USEFUL|USELESS]->(d)
DELETE r
WITH DISTINCT f
CALL (f) {
  WITH f WHERE NOT EXISTS { (f)-[:USEFUL|USELESS]->() }
  DETACH DELETE f
}
RETURN count(f) AS judgements
