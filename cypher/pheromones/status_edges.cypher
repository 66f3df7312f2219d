// status_edges: sum the pheromones of edges at a cycle, by type.
// params:  palace (string), cycle (int), rates (map of share lost per cycle), floor (float)
// returns: kind (string), warm, faded (int: something is left; all of it is below the floor), and for success, traversal and recency: _carriers (int), _sum, _max (float)
// runs:    implicit transaction, reads
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
WITH e, CASE WHEN $cycle > e.pheromone_cycle THEN $cycle - e.pheromone_cycle ELSE 0 END AS age
WITH
  type(e) AS kind,
  coalesce(e.success_pheromone, 0.0) * (1 - $rates.success) ^ age AS success,
  coalesce(e.traversal_pheromone, 0.0) * (1 - $rates.traversal) ^ age AS traversal,
  coalesce(e.recency_pheromone, 0.0) * (1 - $rates.recency) ^ age AS recency
WITH
  kind,
  CASE WHEN success < $floor THEN 0.0 ELSE success END AS success,
  CASE WHEN traversal < $floor THEN 0.0 ELSE traversal END AS traversal,
  CASE WHEN recency < $floor THEN 0.0 ELSE recency END AS recency
RETURN
  kind,
  count(CASE WHEN success + traversal + recency > 0 THEN 1 END) AS warm,
  count(CASE WHEN success + traversal + recency = 0 THEN 1 END) AS faded,
  count(CASE WHEN success > 0 THEN 1 END) AS success_carriers,
  sum(success) AS success_sum, max(success) AS success_max,
  count(CASE WHEN traversal > 0 THEN 1 END) AS traversal_carriers,
  sum(traversal) AS traversal_sum, max(traversal) AS traversal_max,
  count(CASE WHEN recency > 0 THEN 1 END) AS recency_carriers,
  sum(recency) AS recency_sum, max(recency) AS recency_max
ORDER BY kind
