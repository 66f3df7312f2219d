// create_similar: create SIMILAR_TO edges between drawers; each drawer is looked up only once.
// params:  ids (list of string), tails (list of int), heads (list of int), similarities (list of float)
// returns: edges (int)
// runs:    explicit transaction after create_drawers
// Tails and heads are indices into ids. A drawer that no longer exists gets no edges.
UNWIND range(0, size($ids) - 1) AS at
OPTIONAL MATCH (d:Drawer {id: $ids[at]})
WITH at, d ORDER BY at
// Each drawer is put into a list of its own. collect() leaves out nulls, which would shift the indices.
WITH collect([d]) AS drawers
UNWIND range(0, size($tails) - 1) AS edge
WITH drawers[$tails[edge]][0] AS a, drawers[$heads[edge]][0] AS b, $similarities[edge] AS similarity
WHERE a IS NOT NULL AND b IS NOT NULL
// The base cost is 1 - similarity (seed 003). It must not become negative because of rounding.
WITH a, b, similarity, CASE WHEN similarity > 1 THEN 0.0 ELSE 1 - similarity END AS cost
CREATE (a)-[:SIMILAR_TO {
  similarity: similarity, base_cost: cost, current_cost: cost,
  success_pheromone: 0.0, traversal_pheromone: 0.0, recency_pheromone: 0.0
}]->(b)
RETURN count(*) AS edges
