// warm_edges: sum the pheromones of the edges into or in each room at a cycle; an edge between drawers of two rooms counts for both.
// params:  palace (string), cycle (int), rates (map of share lost per cycle), floor (float)
// returns: id (string: of the room), success, traversal, recency (float)
// runs:    implicit transaction, reads
CALL () {
  MATCH ()-[e:HAS_ROOM]->(r) USING INDEX SEEK e:HAS_ROOM(warm_in) WHERE e.warm_in = $palace RETURN [r.id] AS ids, e
  UNION ALL
  MATCH (r)-[e:HAS_CLOSET]->() USING INDEX SEEK e:HAS_CLOSET(warm_in) WHERE e.warm_in = $palace RETURN [r.id] AS ids, e
  UNION ALL
  MATCH ()-[e:HAS_DRAWER]->(d) USING INDEX SEEK e:HAS_DRAWER(warm_in) WHERE e.warm_in = $palace RETURN [d.room_id] AS ids, e
  UNION ALL
  MATCH (a)-[e:SIMILAR_TO]->(b) USING INDEX SEEK e:SIMILAR_TO(warm_in)
  WHERE e.warm_in = $palace
  RETURN CASE WHEN a.room_id = b.room_id THEN [a.room_id] ELSE [a.room_id, b.room_id] END AS ids, e
  UNION ALL
  MATCH (d)-[e:REFERENCES]->() USING INDEX SEEK e:REFERENCES(warm_in) WHERE e.warm_in = $palace RETURN [d.room_id] AS ids, e
}
WITH ids, e, CASE WHEN $cycle > e.pheromone_cycle THEN $cycle - e.pheromone_cycle ELSE 0 END AS age
WITH
  ids,
  coalesce(e.success_pheromone, 0.0) * (1 - $rates.success) ^ age AS success,
  coalesce(e.traversal_pheromone, 0.0) * (1 - $rates.traversal) ^ age AS traversal,
  coalesce(e.recency_pheromone, 0.0) * (1 - $rates.recency) ^ age AS recency
UNWIND ids AS id
RETURN
  id,
  sum(CASE WHEN success < $floor THEN 0.0 ELSE success END) AS success,
  sum(CASE WHEN traversal < $floor THEN 0.0 ELSE traversal END) AS traversal,
  sum(CASE WHEN recency < $floor THEN 0.0 ELSE recency END) AS recency
ORDER BY id
