// seed_decay_nodes: apply one cycle of decay to all nodes, as seed 003 defines it; a reference for tests and benchmarks only.
// params:  exploitation_rate (float), exploration_rate (float)
// returns:
// runs:    implicit transaction, looks at every node of every palace; NOT safe to repeat: each run is one more cycle
// browser: :param {exploitation_rate: 0.02, exploration_rate: 0.05}
MATCH (n)
WHERE n.exploitation_pheromone > 0.001 OR n.exploration_pheromone > 0.001
SET n.exploitation_pheromone = n.exploitation_pheromone * (1.0 - $exploitation_rate),
    n.exploration_pheromone = n.exploration_pheromone * (1.0 - $exploration_rate)
