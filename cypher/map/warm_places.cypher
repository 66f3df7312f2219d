// warm_places: sum the pheromones of wings, and of rooms with everything in them, at a cycle; reads only nodes with pheromones.
// params:  palace (string), cycle (int), rates (map of share lost per cycle), floor (float)
// returns: id (string), exploitation, exploration (float)
// runs:    implicit transaction, reads
CALL () {
  MATCH (n:Wing) USING INDEX SEEK n:Wing(warm_in) WHERE n.warm_in = $palace RETURN n.id AS id, n
  UNION ALL
  MATCH (n:Room) USING INDEX SEEK n:Room(warm_in) WHERE n.warm_in = $palace RETURN n.id AS id, n
  UNION ALL
  MATCH (n:Closet)<-[:HAS_CLOSET]-(r:Room) USING INDEX SEEK n:Closet(warm_in) WHERE n.warm_in = $palace RETURN r.id AS id, n
  UNION ALL
  MATCH (n:Drawer) USING INDEX SEEK n:Drawer(warm_in) WHERE n.warm_in = $palace RETURN n.room_id AS id, n
}
WITH id, n, CASE WHEN $cycle > n.pheromone_cycle THEN $cycle - n.pheromone_cycle ELSE 0 END AS age
WITH
  id,
  coalesce(n.exploitation_pheromone, 0.0) * (1 - $rates.exploitation) ^ age AS exploitation,
  coalesce(n.exploration_pheromone, 0.0) * (1 - $rates.exploration) ^ age AS exploration
RETURN
  id,
  sum(CASE WHEN exploitation < $floor THEN 0.0 ELSE exploitation END) AS exploitation,
  sum(CASE WHEN exploration < $floor THEN 0.0 ELSE exploration END) AS exploration
ORDER BY id
