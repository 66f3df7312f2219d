// write_rooms: create wings and rooms by id, and link them to their palace.
// params:  palace (string), rooms (list of {wing_id, wing, wing_type, id, name, hall_type, found_by}), base_cost (map)
// returns:
// runs:    explicit transaction, safe to repeat
MATCH (p:Palace {name: $palace})
UNWIND $rooms AS row
MERGE (w:Wing {id: row.wing_id})
ON CREATE SET
  w.palace = $palace, w.name = row.wing, w.wing_type = row.wing_type, w.created_at = datetime(),
  w.exploitation_pheromone = 0.0, w.exploration_pheromone = 0.0
MERGE (p)-[c:CONTAINS]->(w)
ON CREATE SET c.base_cost = $base_cost.CONTAINS, c.current_cost = $base_cost.CONTAINS
MERGE (r:Room {id: row.id})
ON CREATE SET
  r.palace = $palace, r.wing_id = row.wing_id, r.name = row.name, r.hall_type = row.hall_type, r.found_by = row.found_by, r.created_at = datetime(),
  r.exploitation_pheromone = 0.0, r.exploration_pheromone = 0.0
MERGE (w)-[e:HAS_ROOM]->(r)
ON CREATE SET
  e.success_pheromone = 0.0, e.traversal_pheromone = 0.0, e.recency_pheromone = 0.0,
  e.base_cost = $base_cost.HAS_ROOM, e.current_cost = $base_cost.HAS_ROOM
