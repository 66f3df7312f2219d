// list_passages: list the halls and tunnels of a palace with their pheromones at a cycle.
// params:  palace (string), cycle (int), rates (map of share lost per cycle), floor (float)
// returns: type (string), source, target (string: ids of rooms), success, traversal, recency (float)
// runs:    implicit transaction, reads
MATCH (:Palace {name: $palace})-[:CONTAINS]->(:Wing)-[:HAS_ROOM]->(a:Room)-[e:HALL|TUNNEL]->(b:Room)
WITH a, b, e, CASE WHEN $cycle > coalesce(e.pheromone_cycle, $cycle) THEN $cycle - e.pheromone_cycle ELSE 0 END AS age
WITH
  a, b, type(e) AS type,
  coalesce(e.success_pheromone, 0.0) * (1 - $rates.success) ^ age AS success,
  coalesce(e.traversal_pheromone, 0.0) * (1 - $rates.traversal) ^ age AS traversal,
  coalesce(e.recency_pheromone, 0.0) * (1 - $rates.recency) ^ age AS recency
RETURN
  type, a.id AS source, b.id AS target,
  CASE WHEN success < $floor THEN 0.0 ELSE success END AS success,
  CASE WHEN traversal < $floor THEN 0.0 ELSE traversal END AS traversal,
  CASE WHEN recency < $floor THEN 0.0 ELSE recency END AS recency
ORDER BY type, source, target
