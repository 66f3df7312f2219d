// seed_recompute_costs: compute the cost of all edges, as seed 003 defines it; a reference for tests and benchmarks only.
// params:
// returns:
// runs:    implicit transaction, looks at every edge of every palace, safe to repeat
MATCH ()-[e]->()
WITH
  e,
  e.base_cost * (1.0 - 0.5 * (
    0.5 * CASE WHEN e.success_pheromone > 1.0 THEN 1.0 ELSE e.success_pheromone END
    + 0.3 * CASE WHEN e.recency_pheromone > 1.0 THEN 1.0 ELSE e.recency_pheromone END
    + 0.2 * CASE WHEN e.traversal_pheromone > 1.0 THEN 1.0 ELSE e.traversal_pheromone END
  )) AS cost
SET e.current_cost = CASE WHEN cost < 0.0 THEN 0.0 WHEN cost > 10.0 THEN 10.0 ELSE cost END
