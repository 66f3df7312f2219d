MATCH (p:Palace {name: $palace})
CREATE (p)-[:CONTAINS]->(w:Wing {id: $palace + '-wing', palace: $palace, name: 'diamond', wing_type: 'topic', created_at: datetime(), exploitation_pheromone: 0.0, exploration_pheromone: 0.0})
WITH w
UNWIND ['a', 'b', 'c', 'd'] AS name
CREATE (r:Room {id: $palace + '-' + name, palace: $palace, wing_id: w.id, name: name, hall_type: 'facts', found_by: 'hand', created_at: datetime(), exploitation_pheromone: 0.0, exploration_pheromone: 0.0})
CREATE (w)-[:HAS_ROOM {success_pheromone: 0.0, traversal_pheromone: 0.0, recency_pheromone: 0.0, base_cost: 9.0, current_cost: 9.0}]->(r)
WITH collect(r) AS rooms
UNWIND [[0, 1], [1, 3], [0, 2], [2, 3]] AS pair
WITH rooms[pair[0]] AS one, rooms[pair[1]] AS other
CREATE (one)-[:HALL {success_pheromone: 0.0, traversal_pheromone: 0.0, recency_pheromone: 0.0, base_cost: 0.5, current_cost: 0.5}]->(other)
