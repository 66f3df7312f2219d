// load_places: load the palace, and the pheromones of its wings, rooms and closets, in columns of ten thousand.
// params:  palace (string)
// returns: kind (string), keys (list of int: Neo4j's own ids), ids (list of string), exploitation, exploration (lists of float), cycles (list of int, -1: none)
// runs:    implicit transaction, reads
CALL () {
  MATCH (n:Palace {name: $palace}) RETURN 'Palace' AS kind, n
  UNION ALL
  MATCH (:Palace {name: $palace})-[:CONTAINS]->(n:Wing) RETURN 'Wing' AS kind, n
  UNION ALL
  MATCH (:Palace {name: $palace})-[:CONTAINS]->(:Wing)-[:HAS_ROOM]->(n:Room) RETURN 'Room' AS kind, n
  UNION ALL
  MATCH (n:Closet) WHERE n.palace = $palace AND n.wing_id IS NOT NULL RETURN 'Closet' AS kind, n
}
WITH kind, collect(n) AS nodes
UNWIND range(0, size(nodes) - 1, 10000) AS start
WITH kind, nodes[start..start + 10000] AS part
RETURN
  kind,
  [n IN part | id(n)] AS keys, [n IN part | n.id] AS ids,
  [n IN part | coalesce(n.exploitation_pheromone, 0.0)] AS exploitation,
  [n IN part | coalesce(n.exploration_pheromone, 0.0)] AS exploration, [n IN part | coalesce(n.pheromone_cycle, -1)] AS cycles
