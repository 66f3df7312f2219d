MATCH (p:Palace {name: $palace})
MERGE (p)-[:CONTAINS]->(w:Wing {id: $palace + '-warm'})
ON CREATE SET w.palace = $palace, w.name = 'warm', w.wing_type = 'topic', w.created_at = datetime()
WITH w
UNWIND $rows AS row
CREATE (w)-[:HAS_ROOM {
  success_pheromone: row.success, traversal_pheromone: row.traversal, recency_pheromone: row.recency,
  base_cost: row.base_cost, current_cost: row.base_cost, pheromone_cycle: row.cycle, warm_in: $palace
}]->(:Room {
  id: $palace + '-' + row.id, palace: $palace, wing_id: w.id, name: row.id, hall_type: 'facts', found_by: 'hand',
  created_at: datetime(), exploitation_pheromone: row.exploitation, exploration_pheromone: row.exploration,
  pheromone_cycle: row.cycle, warm_in: $palace
})
