// relate: make a fact about two entities, by their normalised names.
// params:  palace (string), subject (string), object (string)
// returns:
// runs:    implicit transaction
MATCH (a:Entity {palace: $palace, normalised_name: $subject}), (b:Entity {palace: $palace, normalised_name: $object})
CREATE (a)-[:RELATES_TO {
  id: $palace + $subject + $object, palace: $palace, predicate: 'knows', base_cost: 1.0, current_cost: 1.0, success_pheromone: 0.0
}]->(b)
