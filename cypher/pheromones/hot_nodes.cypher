// hot_nodes: list the nodes with the most exploitation at a cycle; reads only nodes with pheromones.
// params:  palace (string), wing_id (string or null), cycle (int), rates (map of share lost per cycle), floor (float), limit (int)
// returns: node ({kind, id, name, place: list of string}), exploitation, exploration (float)
// runs:    implicit transaction, reads
CALL () {
  MATCH (n:Wing) USING INDEX SEEK n:Wing(warm_in) WHERE n.warm_in = $palace RETURN 'Wing' AS kind, n
  UNION ALL
  MATCH (n:Room) USING INDEX SEEK n:Room(warm_in) WHERE n.warm_in = $palace RETURN 'Room' AS kind, n
  UNION ALL
  MATCH (n:Closet) USING INDEX SEEK n:Closet(warm_in) WHERE n.warm_in = $palace RETURN 'Closet' AS kind, n
  UNION ALL
  MATCH (n:Drawer) USING INDEX SEEK n:Drawer(warm_in) WHERE n.warm_in = $palace RETURN 'Drawer' AS kind, n
  UNION ALL
  MATCH (n:Entity) USING INDEX SEEK n:Entity(warm_in) WHERE n.warm_in = $palace RETURN 'Entity' AS kind, n
}
WITH n, CASE WHEN $cycle > n.pheromone_cycle THEN $cycle - n.pheromone_cycle ELSE 0 END AS age
WHERE $wing_id IS NULL OR n.wing_id = $wing_id OR n.id = $wing_id
WITH
  n,
  coalesce(n.exploitation_pheromone, 0.0) * (1 - $rates.exploitation) ^ age AS exploitation,
  coalesce(n.exploration_pheromone, 0.0) * (1 - $rates.exploration) ^ age AS exploration
WITH
  n,
  CASE WHEN exploitation < $floor THEN 0.0 ELSE exploitation END AS exploitation,
  CASE WHEN exploration < $floor THEN 0.0 ELSE exploration END AS exploration
WHERE exploitation > 0
WITH n, exploitation, exploration ORDER BY exploitation DESC, n.id LIMIT $limit
CALL (n) {
  OPTIONAL MATCH (w:Wing {id: n.wing_id})
  OPTIONAL MATCH (r:Room {id: n.room_id})
  OPTIONAL MATCH (c:Closet)-[:HAS_DRAWER]->(n)
  WITH w, r, head(collect(c)) AS c, coalesce(n.name, n.title, left(n.text, 400), n.id) AS name
  RETURN {
    kind: head([label IN labels(n) WHERE label IN ['Wing', 'Room', 'Closet', 'Drawer', 'Entity']]), id: n.id,
    name: name, place: [part IN [w.name, r.name, c.title, name] WHERE part IS NOT NULL]
  } AS node
}
RETURN node, exploitation, exploration
ORDER BY exploitation DESC, node.id
