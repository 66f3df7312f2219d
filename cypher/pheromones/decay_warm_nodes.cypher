// decay_warm_nodes: apply the decay to all nodes with pheromones up to a cycle; nodes whose pheromones reach zero are no longer warm.
// params:  palace (string), cycle (int), rates (map {exploitation, exploration}: share lost in a cycle), floor (float), batch_rows (int)
// returns: rows (int), errors (list of string): of batches that were rolled back, to be repeated
// runs:    auto-commit (CALL IN TRANSACTIONS), safe to repeat and to break off: a node that is up to date is left alone
// browser: :param {palace: 'main', cycle: 120, rates: {exploitation: 0.02, exploration: 0.05}, floor: 0.001, batch_rows: 20000}
//          then paste `:auto` and this file; tick.cypher returns the cycle
CALL () {
  MATCH (n:Wing) USING INDEX SEEK n:Wing(warm_in) WHERE n.warm_in = $palace RETURN n
  UNION ALL
  MATCH (n:Room) USING INDEX SEEK n:Room(warm_in) WHERE n.warm_in = $palace RETURN n
  UNION ALL
  MATCH (n:Closet) USING INDEX SEEK n:Closet(warm_in) WHERE n.warm_in = $palace RETURN n
  UNION ALL
  MATCH (n:Drawer) USING INDEX SEEK n:Drawer(warm_in) WHERE n.warm_in = $palace RETURN n
  UNION ALL
  MATCH (n:Entity) USING INDEX SEEK n:Entity(warm_in) WHERE n.warm_in = $palace RETURN n
  UNION ALL
  MATCH (n:CallerDocument) USING INDEX SEEK n:CallerDocument(warm_in) WHERE n.warm_in = $palace RETURN n
}
CALL (n) {
  REMOVE n.cycle // locks the node, which has no such property, so that the values read below include every earlier deposit
  WITH n, $cycle - n.pheromone_cycle AS cycles
  WHERE cycles > 0
  WITH
    n,
    coalesce(n.exploitation_pheromone, 0.0) * (1.0 - $rates.exploitation) ^ cycles AS exploitation,
    coalesce(n.exploration_pheromone, 0.0) * (1.0 - $rates.exploration) ^ cycles AS exploration
  WITH
    n,
    CASE WHEN exploitation < $floor THEN 0.0 ELSE exploitation END AS exploitation,
    CASE WHEN exploration < $floor THEN 0.0 ELSE exploration END AS exploration
  SET n.exploitation_pheromone = exploitation, n.exploration_pheromone = exploration, n.pheromone_cycle = $cycle
  FOREACH (cold IN CASE WHEN exploitation + exploration > 0.0 THEN [] ELSE [n] END |
    REMOVE cold.warm_in, cold.pheromone_cycle
  )
  RETURN 1 AS done
} IN 2 CONCURRENT TRANSACTIONS OF $batch_rows ROWS ON ERROR CONTINUE REPORT STATUS AS status
RETURN count(done) AS rows, collect(DISTINCT status.errorMessage) AS errors
