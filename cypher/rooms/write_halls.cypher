// write_halls: set the HALL edges between rooms of one wing, keeping pheromones of existing ones; delete all others of the palace.
// params:  palace (string), edges (list of {from, to}), base_cost (float)
// returns: edges (int)
// runs:    implicit transaction, safe to repeat
CALL () {
  MATCH (:Palace {name: $palace})-[:CONTAINS]->(:Wing)-[:HAS_ROOM]->(a:Room)-[e:HALL]->(b:Room)
  WHERE NOT {from: a.id, to: b.id} IN $edges
  DELETE e
}
UNWIND $edges AS row
MATCH (a:Room {id: row.from})
MATCH (b:Room {id: row.to})
MERGE (a)-[e:HALL]->(b)
ON CREATE SET
  e.success_pheromone = 0.0, e.traversal_pheromone = 0.0, e.recency_pheromone = 0.0,
  e.base_cost = $base_cost, e.current_cost = $base_cost
RETURN count(*) AS edges
