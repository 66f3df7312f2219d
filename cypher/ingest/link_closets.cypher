// link_closets: link closets to each room that has a drawer of theirs.
// params:  links (list of {room_id, closet_id}), base_cost (float)
// returns:
// runs:    explicit transaction, safe to repeat
UNWIND $links AS row
MATCH (r:Room {id: row.room_id})
MATCH (c:Closet {id: row.closet_id})
MERGE (r)-[e:HAS_CLOSET]->(c)
ON CREATE SET
  e.success_pheromone = 0.0, e.traversal_pheromone = 0.0, e.recency_pheromone = 0.0,
  e.base_cost = $base_cost, e.current_cost = $base_cost
