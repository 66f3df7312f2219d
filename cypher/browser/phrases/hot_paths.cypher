// Hot paths
// The 40 strongest trails, with their strength at the current time
WITH 'main' AS palace, 0.25 AS least, 3600 AS cycle_seconds, {success: 0.01, traversal: 0.03, recency: 0.10} AS rates
MATCH (p:Palace {name: palace})
WITH palace, least, rates, p.cycle + toInteger((datetime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * cycle_seconds)) AS cycle
CALL (palace) {
  MATCH ()-[e:HAS_ROOM]->() USING INDEX SEEK e:HAS_ROOM(warm_in) WHERE e.warm_in = palace RETURN e
  UNION ALL
  MATCH ()-[e:HAS_CLOSET]->() USING INDEX SEEK e:HAS_CLOSET(warm_in) WHERE e.warm_in = palace RETURN e
  UNION ALL
  MATCH ()-[e:HAS_DRAWER]->() USING INDEX SEEK e:HAS_DRAWER(warm_in) WHERE e.warm_in = palace RETURN e
  UNION ALL
  MATCH ()-[e:HALL]->() USING INDEX SEEK e:HALL(warm_in) WHERE e.warm_in = palace RETURN e
  UNION ALL
  MATCH ()-[e:TUNNEL]->() USING INDEX SEEK e:TUNNEL(warm_in) WHERE e.warm_in = palace RETURN e
  UNION ALL
  MATCH ()-[e:SIMILAR_TO]->() USING INDEX SEEK e:SIMILAR_TO(warm_in) WHERE e.warm_in = palace RETURN e
  UNION ALL
  MATCH ()-[e:REFERENCES]->() USING INDEX SEEK e:REFERENCES(warm_in) WHERE e.warm_in = palace RETURN e
  UNION ALL
  MATCH ()-[e:RELATES_TO]->() USING INDEX SEEK e:RELATES_TO(warm_in) WHERE e.warm_in = palace RETURN e
}
WITH palace, least, e, rates, CASE WHEN cycle > e.pheromone_cycle THEN cycle - e.pheromone_cycle ELSE 0 END AS age
WITH
  palace, least, e,
  coalesce(e.success_pheromone, 0.0) * (1 - rates.success) ^ age AS success,
  coalesce(e.traversal_pheromone, 0.0) * (1 - rates.traversal) ^ age AS traversal,
  coalesce(e.recency_pheromone, 0.0) * (1 - rates.recency) ^ age AS recency
WITH
  palace, least, e, success, traversal, recency,
  0.5 * CASE WHEN success > 1 THEN 1 ELSE success END
    + 0.3 * CASE WHEN recency > 1 THEN 1 ELSE recency END
    + 0.2 * CASE WHEN traversal > 1 THEN 1 ELSE traversal END AS strength
WHERE strength >= least
WITH e ORDER BY strength DESC, success DESC LIMIT 40
MATCH path = ()-[e]->()
RETURN path
