// create_similar: create SIMILAR_TO edges between drawers; each drawer is looked up only once.
// params:  ids (list of string), tails (list of int), heads (list of int), similarities (list of float)
// returns: edges (int)
// runs:    explicit transaction after create_drawers
// Tails and heads are places in ids. A drawer that is gone gets no edges.
UNWIND range(0, size($ids) - 1) AS at
OPTIONAL MATCH (d:Drawer {id: $ids[at]})
WITH at, d ORDER BY at
// In lists of one, because a null of its own would not be collected, and the places would be off.
WITH collect([d]) AS drawers
UNWIND range(0, size($tails) - 1) AS edge
WITH drawers[$tails[edge]][0] AS a, drawers[$heads[edge]][0] AS b, $similarities[edge] AS similarity
WHERE a IS NOT NULL AND b IS NOT NULL
// The base cost is 1 - similarity (seed 003); rounding must not make it negative.
WITH a, b, similarity, CASE WHEN similarity > 1 THEN 0.0 ELSE 1 - similarity END AS cost
CREATE (a)-[:SIMILAR_TO {
  similarity: similarity, base_cost: cost, current_cost: cost,
  success_pheromone: 0.0, traversal_pheromone: 0.0, recency_pheromone: 0.0
}]->(b)
RETURN count(*) AS edges
