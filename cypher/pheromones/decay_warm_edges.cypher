// decay_warm_edges: apply the decay to all edges with pheromones up to a cycle, and compute their costs again; edges whose pheromones reach zero are no longer warm.
// params:  palace (string), cycle (int), rates (map {success, traversal, recency}: share lost in a cycle), floor (float), batch_rows (int)
// returns: rows (int), errors (list of string): of batches that were rolled back, to be repeated
// runs:    auto-commit (CALL IN TRANSACTIONS), safe to repeat and to break off: an edge that is up to date is left alone
// browser: :param {palace: 'main', cycle: 120, rates: {success: 0.01, traversal: 0.03, recency: 0.1}, floor: 0.001, batch_rows: 20000}
//          then paste `:auto` and this file; tick.cypher returns the cycle
CALL () {
  MATCH ()-[e:HAS_ROOM]->() USING INDEX SEEK e:HAS_ROOM(warm_in) WHERE e.warm_in = $palace RETURN e
  UNION ALL
  MATCH ()-[e:HAS_CLOSET]->() USING INDEX SEEK e:HAS_CLOSET(warm_in) WHERE e.warm_in = $palace RETURN e
  UNION ALL
  MATCH ()-[e:HAS_DRAWER]->() USING INDEX SEEK e:HAS_DRAWER(warm_in) WHERE e.warm_in = $palace RETURN e
  UNION ALL
  MATCH ()-[e:HALL]->() USING INDEX SEEK e:HALL(warm_in) WHERE e.warm_in = $palace RETURN e
  UNION ALL
  MATCH ()-[e:TUNNEL]->() USING INDEX SEEK e:TUNNEL(warm_in) WHERE e.warm_in = $palace RETURN e
  UNION ALL
  MATCH ()-[e:SIMILAR_TO]->() USING INDEX SEEK e:SIMILAR_TO(warm_in) WHERE e.warm_in = $palace RETURN e
  UNION ALL
  MATCH ()-[e:REFERENCES]->() USING INDEX SEEK e:REFERENCES(warm_in) WHERE e.warm_in = $palace RETURN e
  UNION ALL
  MATCH ()-[e:RELATES_TO]->() USING INDEX SEEK e:RELATES_TO(warm_in) WHERE e.warm_in = $palace RETURN e
  UNION ALL
  // A wing has only a few of these edges, so no index is needed to find them.
  MATCH (:Palace {name: $palace})-[:CONTAINS]->(:Wing)-[e:ANSWERED_BY]->(:Lane) WHERE e.pheromone_cycle IS NOT NULL RETURN e
}
CALL (e) {
  REMOVE e.cycle // locks the edge, which has no such property, so that the values read below include every earlier deposit
  WITH e, $cycle - e.pheromone_cycle AS cycles
  WHERE cycles > 0
  WITH
    e,
    coalesce(e.success_pheromone, 0.0) * (1.0 - $rates.success) ^ cycles AS success,
    coalesce(e.traversal_pheromone, 0.0) * (1.0 - $rates.traversal) ^ cycles AS traversal,
    coalesce(e.recency_pheromone, 0.0) * (1.0 - $rates.recency) ^ cycles AS recency
  WITH
    e,
    CASE WHEN success < $floor THEN 0.0 ELSE success END AS success,
    CASE WHEN traversal < $floor THEN 0.0 ELSE traversal END AS traversal,
    CASE WHEN recency < $floor THEN 0.0 ELSE recency END AS recency
  WITH
    e, success, traversal, recency,
    e.base_cost * (1.0 - 0.5 * (
      0.5 * CASE WHEN success > 1.0 THEN 1.0 ELSE success END
      + 0.3 * CASE WHEN recency > 1.0 THEN 1.0 ELSE recency END
      + 0.2 * CASE WHEN traversal > 1.0 THEN 1.0 ELSE traversal END
    )) AS cost
  SET
    e.success_pheromone = success, e.traversal_pheromone = traversal, e.recency_pheromone = recency,
    e.current_cost = CASE WHEN cost < 0.0 THEN 0.0 WHEN cost > 10.0 THEN 10.0 ELSE cost END,
    e.pheromone_cycle = $cycle
  FOREACH (cold IN CASE WHEN success + traversal + recency > 0.0 THEN [] ELSE [e] END |
    REMOVE cold.warm_in, cold.pheromone_cycle
  )
  RETURN 1 AS done
} IN 2 CONCURRENT TRANSACTIONS OF $batch_rows ROWS ON ERROR CONTINUE REPORT STATUS AS status
RETURN count(done) AS rows, collect(DISTINCT status.errorMessage) AS errors
