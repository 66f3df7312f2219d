// load_some_drawers: load the pheromones of some drawers, in columns of ten thousand.
// params:  ids (list of string)
// returns: kind (string), keys (list of int: Neo4j's own ids), ids (list of string), exploitation, exploration (lists of float), cycles (list of int, -1: none)
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (n:Drawer {id: id})
WITH 'Drawer' AS kind, collect(n) AS nodes
UNWIND range(0, size(nodes) - 1, 10000) AS start
WITH kind, nodes[start..start + 10000] AS part
RETURN
  kind,
  [n IN part | id(n)] AS keys, [n IN part | n.id] AS ids,
  [n IN part | coalesce(n.exploitation_pheromone, 0.0)] AS exploitation,
  [n IN part | coalesce(n.exploration_pheromone, 0.0)] AS exploration, [n IN part | coalesce(n.pheromone_cycle, -1)] AS cycles
