// hot_edges: list the edges with the strongest pheromones at a cycle; reads only edges with pheromones.
// params:  palace (string), wing_id (string or null), cycle (int), rates (map of share lost per cycle), floor (float), limit (int)
// returns: type (string), source, target ({kind, id, name, place: list of string}), success, traversal, recency, factor (float, 0 to 1), base_cost, current_cost (float)
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
}
WITH
  e, startNode(e) AS a, endNode(e) AS b,
  CASE WHEN $cycle > e.pheromone_cycle THEN $cycle - e.pheromone_cycle ELSE 0 END AS age
WHERE $wing_id IS NULL OR a.id = $wing_id OR a.wing_id = $wing_id OR b.wing_id = $wing_id
WITH
  e, a, b,
  coalesce(e.success_pheromone, 0.0) * (1 - $rates.success) ^ age AS success,
  coalesce(e.traversal_pheromone, 0.0) * (1 - $rates.traversal) ^ age AS traversal,
  coalesce(e.recency_pheromone, 0.0) * (1 - $rates.recency) ^ age AS recency
WITH
  e, a, b,
  CASE WHEN success < $floor THEN 0.0 ELSE success END AS success,
  CASE WHEN traversal < $floor THEN 0.0 ELSE traversal END AS traversal,
  CASE WHEN recency < $floor THEN 0.0 ELSE recency END AS recency
WITH
  e, a, b, success, traversal, recency, coalesce(e.base_cost, 1.0) AS base_cost,
  0.5 * CASE WHEN success > 1 THEN 1 ELSE success END
    + 0.3 * CASE WHEN recency > 1 THEN 1 ELSE recency END
    + 0.2 * CASE WHEN traversal > 1 THEN 1 ELSE traversal END AS factor
WHERE factor > 0
WITH e, a, b, success, traversal, recency, base_cost, factor
ORDER BY factor DESC, success DESC, a.id, b.id, type(e) LIMIT $limit
CALL (a) {
  OPTIONAL MATCH (w:Wing {id: a.wing_id})
  OPTIONAL MATCH (r:Room {id: a.room_id})
  OPTIONAL MATCH (c:Closet)-[:HAS_DRAWER]->(a)
  WITH w, r, head(collect(c)) AS c, coalesce(a.name, a.title, left(a.text, 400), a.id) AS name
  RETURN {
    kind: head([label IN labels(a) WHERE label IN ['Wing', 'Room', 'Closet', 'Drawer', 'Entity']]), id: a.id,
    name: name, place: [part IN [w.name, r.name, c.title, name] WHERE part IS NOT NULL]
  } AS source
}
CALL (b) {
  OPTIONAL MATCH (w:Wing {id: b.wing_id})
  OPTIONAL MATCH (r:Room {id: b.room_id})
  OPTIONAL MATCH (c:Closet)-[:HAS_DRAWER]->(b)
  WITH w, r, head(collect(c)) AS c, coalesce(b.name, b.title, left(b.text, 400), b.id) AS name
  RETURN {
    kind: head([label IN labels(b) WHERE label IN ['Wing', 'Room', 'Closet', 'Drawer', 'Entity']]), id: b.id,
    name: name, place: [part IN [w.name, r.name, c.title, name] WHERE part IS NOT NULL]
  } AS target
}
WITH *, base_cost * (1 - 0.5 * factor) AS cost
RETURN
  type(e) AS type, source, target, success, traversal, recency, factor, base_cost,
  CASE WHEN cost > 10 THEN 10.0 WHEN cost < 0 THEN 0.0 ELSE cost END AS current_cost
ORDER BY factor DESC, success DESC, source.id, target.id, type
