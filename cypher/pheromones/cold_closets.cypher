// cold_closets: list the least used closets, including their drawers, at a cycle; of equal ones, the oldest first.
// params:  palace (string), wing_id (string or null), cycle (int), rates (map of share lost per cycle), floor (float), limit (int)
// returns: node ({kind, id, name, place: list of string}), created_at (string), exploitation, exploration (float)
// runs:    implicit transaction, reads
CALL () {
  MATCH (place:Closet)
  WHERE place.palace = $palace AND place.wing_id IS NOT NULL AND ($wing_id IS NULL OR place.wing_id = $wing_id)
  RETURN place, place AS n
  UNION ALL
  MATCH (n:Drawer)<-[:HAS_DRAWER]-(place:Closet)
  WHERE n.warm_in = $palace AND ($wing_id IS NULL OR n.wing_id = $wing_id)
  RETURN place, n
}
WITH place, n, CASE WHEN $cycle > n.pheromone_cycle THEN $cycle - n.pheromone_cycle ELSE 0 END AS age
WITH
  place,
  coalesce(n.exploitation_pheromone, 0.0) * (1 - $rates.exploitation) ^ age AS exploitation,
  coalesce(n.exploration_pheromone, 0.0) * (1 - $rates.exploration) ^ age AS exploration
WITH
  place,
  sum(CASE WHEN exploitation < $floor THEN 0.0 ELSE exploitation END) AS exploitation,
  sum(CASE WHEN exploration < $floor THEN 0.0 ELSE exploration END) AS exploration
ORDER BY exploitation + exploration, place.created_at, place.id LIMIT $limit
CALL (place) {
  OPTIONAL MATCH (w:Wing {id: place.wing_id})
  OPTIONAL MATCH (r:Room {id: place.room_id})
  OPTIONAL MATCH (c:Closet)-[:HAS_DRAWER]->(place)
  WITH w, r, head(collect(c)) AS c, coalesce(place.name, place.title, left(place.text, 400), place.id) AS name
  RETURN {
    kind: head([label IN labels(place) WHERE label IN ['Wing', 'Room', 'Closet', 'Drawer']]), id: place.id,
    name: name, place: [part IN [w.name, r.name, c.title, name] WHERE part IS NOT NULL]
  } AS node
}
RETURN node, toString(place.created_at) AS created_at, exploitation, exploration
ORDER BY exploitation + exploration, created_at, node.id
