MATCH (:Wing {id: $palace + '-warm'})-[e:HAS_ROOM]->(r:Room)
RETURN
  r.name AS id, e.success_pheromone AS success, e.traversal_pheromone AS traversal, e.recency_pheromone AS recency,
  e.base_cost AS base_cost, e.current_cost AS current_cost, e.pheromone_cycle AS edge_cycle, e.warm_in AS edge_warm_in,
  r.exploitation_pheromone AS exploitation, r.exploration_pheromone AS exploration,
  r.pheromone_cycle AS node_cycle, r.warm_in AS node_warm_in
ORDER BY id
