// load_entities: load the pheromones of entities, in columns of ten thousand: of all, or of those that some drawers mention and those with facts.
// params:  palace (string), drawers (list of string, or null: all entities)
// returns: kind (string), keys (list of int: Neo4j's own ids), ids (list of string), exploitation, exploration (lists of float), cycles (list of int, -1: none)
// runs:    implicit transaction, reads
CALL () {
  MATCH (n:Entity) WHERE $drawers IS NULL AND n.palace = $palace AND n.name IS NOT NULL RETURN n
  UNION
  UNWIND $drawers AS id
  MATCH (:Drawer {id: id})-[:REFERENCES]->(n:Entity)
  RETURN n
  UNION
  MATCH (n:Entity)-[:RELATES_TO]-(:Entity) WHERE $drawers IS NOT NULL AND n.palace = $palace AND n.name IS NOT NULL RETURN n
}
WITH 'Entity' AS kind, collect(n) AS nodes
UNWIND range(0, size(nodes) - 1, 10000) AS start
WITH kind, nodes[start..start + 10000] AS part
RETURN
  kind,
  [n IN part | id(n)] AS keys, [n IN part | n.id] AS ids,
  [n IN part | coalesce(n.exploitation_pheromone, 0.0)] AS exploitation,
  [n IN part | coalesce(n.exploration_pheromone, 0.0)] AS exploration, [n IN part | coalesce(n.pheromone_cycle, -1)] AS cycles
