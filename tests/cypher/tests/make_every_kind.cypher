CREATE (w:Wing {id: $palace + '-1', palace: $palace}), (r:Room {id: $palace + '-2', palace: $palace})
CREATE (c:Closet {id: $palace + '-3', palace: $palace}), (d:Drawer {id: $palace + '-4', palace: $palace})
CREATE (n:Entity {id: $palace + '-5', palace: $palace})
CREATE (w)-[:HAS_ROOM]->(r), (r)-[:HAS_CLOSET]->(c), (c)-[:HAS_DRAWER]->(d), (r)-[:HALL]->(r), (r)-[:TUNNEL]->(r)
CREATE (d)-[:SIMILAR_TO]->(d), (d)-[:REFERENCES]->(n), (n)-[:RELATES_TO]->(n)
WITH [w, r, c, d, n] AS nodes
UNWIND nodes AS node
SET node.exploitation_pheromone = 1.0, node.exploration_pheromone = 1.0, node.pheromone_cycle = 0, node.warm_in = $palace
WITH node
MATCH (node)-[e]->()
SET
  e.success_pheromone = 1.0, e.traversal_pheromone = 1.0, e.recency_pheromone = 1.0, e.base_cost = 1.0,
  e.current_cost = 0.5, e.pheromone_cycle = 0, e.warm_in = $palace
