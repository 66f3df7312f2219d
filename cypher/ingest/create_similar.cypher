// create_similar: SIMILAR_TO edges from new drawers to those that came before them.
// params:  links (list of {id, to: list of {id, similarity, cost}})
// returns: edges (int)
// runs:    explicit transaction after create_drawers
UNWIND $links AS row
MATCH (a:Drawer {id: row.id})
UNWIND row.to AS near
MATCH (b:Drawer {id: near.id})
CREATE (a)-[:SIMILAR_TO {
  similarity: near.similarity, base_cost: near.cost, current_cost: near.cost,
  success_pheromone: 0.0, traversal_pheromone: 0.0, recency_pheromone: 0.0
}]->(b)
RETURN count(*) AS edges
