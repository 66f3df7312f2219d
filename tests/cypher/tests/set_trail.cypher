MATCH (a {id: $source})-[e]->(b {id: $target})
SET e.success_pheromone = $success
