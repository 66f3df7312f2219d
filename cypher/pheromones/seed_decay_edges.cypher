// seed_decay_edges: apply one cycle of decay to all edges, as seed 003 defines it; a reference for tests and benchmarks only.
// params:  success_rate (float), traversal_rate (float), recency_rate (float)
// returns:
// runs:    implicit transaction, looks at every edge of every palace; NOT safe to repeat: each run is one more cycle
// browser: :param {success_rate: 0.01, traversal_rate: 0.03, recency_rate: 0.1}
MATCH ()-[e]->()
WHERE e.success_pheromone > 0.001 OR e.traversal_pheromone > 0.001 OR e.recency_pheromone > 0.001
SET e.success_pheromone = e.success_pheromone * (1.0 - $success_rate),
    e.traversal_pheromone = e.traversal_pheromone * (1.0 - $traversal_rate),
    e.recency_pheromone = e.recency_pheromone * (1.0 - $recency_rate)
