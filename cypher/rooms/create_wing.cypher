// create_wing: create a wing by id.
// params:  palace (string), id (string), name (string), wing_type (string), base_cost (float)
// returns: created (bool)
// runs:    implicit transaction, safe to repeat
MATCH (p:Palace {name: $palace})
MERGE (w:Wing {id: $id})
ON CREATE SET
  w.palace = $palace, w.name = $name, w.wing_type = $wing_type, w.created_at = datetime(),
  w.exploitation_pheromone = 0.0, w.exploration_pheromone = 0.0, w.fresh = true
MERGE (p)-[e:CONTAINS]->(w)
ON CREATE SET e.base_cost = $base_cost, e.current_cost = $base_cost
WITH w, coalesce(w.fresh, false) AS created
REMOVE w.fresh
RETURN created
