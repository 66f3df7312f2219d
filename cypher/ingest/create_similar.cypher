// create_similar: SIMILAR_TO edges from new drawers to those that came before them.
// params:  links (list of {id, to: list of string, similarities: list of float})
// returns: edges (int)
// runs:    explicit transaction after create_drawers
UNWIND $links AS row
MATCH (a:Drawer {id: row.id})
UNWIND range(0, size(row.to) - 1) AS at
MATCH (b:Drawer {id: row.to[at]})
WITH a, b, row.similarities[at] AS similarity
// The base cost is 1 - similarity (seed 003); rounding must not make it negative.
WITH a, b, similarity, CASE WHEN similarity > 1 THEN 0.0 ELSE 1 - similarity END AS cost
CREATE (a)-[:SIMILAR_TO {
  similarity: similarity, base_cost: cost, current_cost: cost,
  success_pheromone: 0.0, traversal_pheromone: 0.0, recency_pheromone: 0.0
}]->(b)
RETURN count(*) AS edges
