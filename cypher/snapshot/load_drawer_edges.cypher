// load_drawer_edges: load all edges of all drawers, in columns of ten thousand.
// params:  
// returns: type (string), sources, targets (lists of int: Neo4j's own ids of nodes), success, traversal, recency (lists of float), base_costs (list of float), cycles (list of int, -1: none)
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
CALL () {
  MATCH (d:Drawer___PALACE__)-[e:SIMILAR_TO]->(:Drawer) USING SCAN d:Drawer___PALACE__ RETURN e
  UNION ALL
  MATCH (d:Drawer___PALACE__)<-[e:HAS_DRAWER]-(:Closet) USING SCAN d:Drawer___PALACE__ RETURN e
  UNION ALL
  MATCH (d:Drawer___PALACE__)-[e:REFERENCES]->(:Entity) USING SCAN d:Drawer___PALACE__ RETURN e
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
