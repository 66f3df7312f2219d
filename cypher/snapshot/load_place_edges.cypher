// load_place_edges: load all edges between nodes that are not drawers, in columns of ten thousand.
// params:  palace (string)
// returns: type (string), sources, targets (lists of int: Neo4j's own ids of nodes), success, traversal, recency (lists of float), base_costs (list of float), cycles (list of int, -1: none)
// runs:    implicit transaction, reads
CALL () {
  MATCH (:Palace {name: $palace})-[e:CONTAINS]->(:Wing) RETURN e
  UNION ALL
  MATCH (:Palace {name: $palace})-[:CONTAINS]->(:Wing)-[e:HAS_ROOM]->(:Room) RETURN e
  UNION ALL
  MATCH (:Palace {name: $palace})-[:CONTAINS]->(:Wing)-[:HAS_ROOM]->(:Room)-[e:HAS_CLOSET|HALL|TUNNEL]->() RETURN e
  UNION ALL
  MATCH (n:Entity)-[e:RELATES_TO]->(m:Entity)
  WHERE n.palace = $palace AND n.name IS NOT NULL AND e.invalidated_at IS NULL
  WITH n, m, e ORDER BY coalesce(e.pheromone_cycle, -1) DESC, e.id
  WITH n, m, head(collect(e)) AS e // two names have one edge, whose trail is on one of the facts that join them
  RETURN e
}
WITH type(e) AS type, collect(e) AS edges
UNWIND range(0, size(edges) - 1, 10000) AS start
WITH type, edges[start..start + 10000] AS part
RETURN
  type,
  [e IN part | id(startNode(e))] AS sources, [e IN part | id(endNode(e))] AS targets,
  [e IN part | coalesce(e.success_pheromone, 0.0)] AS success,
  [e IN part | coalesce(e.traversal_pheromone, 0.0)] AS traversal,
  [e IN part | coalesce(e.recency_pheromone, 0.0)] AS recency, [e IN part | coalesce(e.base_cost, 1.0)] AS base_costs,
  [e IN part | coalesce(e.pheromone_cycle, -1)] AS cycles
