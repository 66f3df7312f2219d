// status_nodes: sum the pheromones of nodes at a cycle, by kind.
// params:  palace (string), cycle (int), rates (map of share lost per cycle), floor (float)
// returns: kind (string), warm, faded (int: something is left; all of it is below the floor), and for exploitation and exploration: _carriers (int), _sum, _max (float)
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
WITH kind, n, CASE WHEN $cycle > n.pheromone_cycle THEN $cycle - n.pheromone_cycle ELSE 0 END AS age
WITH
  kind,
  coalesce(n.exploitation_pheromone, 0.0) * (1 - $rates.exploitation) ^ age AS exploitation,
  coalesce(n.exploration_pheromone, 0.0) * (1 - $rates.exploration) ^ age AS exploration
WITH
  kind,
  CASE WHEN exploitation < $floor THEN 0.0 ELSE exploitation END AS exploitation,
  CASE WHEN exploration < $floor THEN 0.0 ELSE exploration END AS exploration
RETURN
  kind,
  count(CASE WHEN exploitation + exploration > 0 THEN 1 END) AS warm,
  count(CASE WHEN exploitation + exploration = 0 THEN 1 END) AS faded,
  count(CASE WHEN exploitation > 0 THEN 1 END) AS exploitation_carriers,
  sum(exploitation) AS exploitation_sum, max(exploitation) AS exploitation_max,
  count(CASE WHEN exploration > 0 THEN 1 END) AS exploration_carriers,
  sum(exploration) AS exploration_sum, max(exploration) AS exploration_max
ORDER BY kind
