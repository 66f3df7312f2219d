// undo_deposit: write the pheromones as they would be without a deposit, update later records, and delete the deposit's record.
// params:  palace (string), id (string), cycle (int), edges (list of {element, key, success, traversal, recency}), nodes (list of {element, key, exploitation, exploration}), later (list of {id, found: map of lists})
// returns: edges (int), nodes (int)
// runs:    explicit transaction, after read_laid has locked what is written
CALL () {
  UNWIND $edges AS row
  MATCH ()-[e]->() WHERE elementId(e) = row.element
  WITH
    e, row,
    e.base_cost * (1 - 0.5 * (
      0.5 * CASE WHEN row.success > 1 THEN 1 ELSE row.success END
      + 0.3 * CASE WHEN row.recency > 1 THEN 1 ELSE row.recency END
      + 0.2 * CASE WHEN row.traversal > 1 THEN 1 ELSE row.traversal END
    )) AS cost
  SET
    e.success_pheromone = row.success, e.traversal_pheromone = row.traversal, e.recency_pheromone = row.recency,
    e.current_cost = CASE WHEN cost > 10 THEN 10.0 WHEN cost < 0 THEN 0.0 ELSE cost END,
    e.pheromone_cycle = CASE WHEN e.pheromone_cycle > $cycle THEN e.pheromone_cycle ELSE $cycle END
  FOREACH (cold IN CASE WHEN row.success + row.traversal + row.recency > 0 THEN [] ELSE [e] END |
    REMOVE cold.warm_in, cold.pheromone_cycle
  )
  RETURN count(*) AS edges
}
CALL () {
  UNWIND $nodes AS row
  MATCH (n) WHERE elementId(n) = row.element
  SET
    n.exploitation_pheromone = row.exploitation, n.exploration_pheromone = row.exploration,
    n.pheromone_cycle = CASE WHEN n.pheromone_cycle > $cycle THEN n.pheromone_cycle ELSE $cycle END
  FOREACH (cold IN CASE WHEN row.exploitation + row.exploration > 0 THEN [] ELSE [n] END |
    REMOVE cold.warm_in, cold.pheromone_cycle
  )
  RETURN count(*) AS nodes
}
CALL () {
  UNWIND $later AS row
  MATCH (d:Deposit {id: row.id})
  SET d += row.found
}
CALL () {
  MATCH (d:Deposit {id: $id})
  DELETE d
}
CALL (edges, nodes) {
  WITH edges, nodes WHERE edges + nodes > 0
  MATCH (p:Palace {name: $palace})
  WITH p, p.revision + 1 AS revision
  SET p.revision = revision
  CREATE (:Change {
    palace: $palace, revision: revision, stored: [], removed: [], created_at: datetime(),
    nodes: [row IN $nodes | split(row.key, ' ')[1]],
    edges: [row IN $edges WHERE NOT row.key STARTS WITH 'ANSWERED_BY ' | row.key]
  })
  RETURN count(*) AS told
}
RETURN edges, nodes
