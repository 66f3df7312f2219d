// load_some_drawer_edges: load all edges of some drawers, each once, in columns of ten thousand.
// params:  ids (list of string)
// returns: type (string), sources, targets (lists of int: Neo4j's own ids of nodes), success, traversal, recency (lists of float), base_costs (list of float), cycles (list of int, -1: none)
// runs:    implicit transaction, reads
CALL () {
  UNWIND $ids AS id
  MATCH (:Drawer {id: id})-[e:SIMILAR_TO|HAS_DRAWER|REFERENCES]-()
  RETURN DISTINCT e
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
