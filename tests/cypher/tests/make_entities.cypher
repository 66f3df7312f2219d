// make_entities: two entities, each of which a drawer refers to, related to each other.
// params:  palace (string), drawers (list of string: two ids)
// returns:
// runs:    implicit transaction
MATCH (first:Drawer {id: $drawers[0]}), (second:Drawer {id: $drawers[1]})
CREATE (a:Entity {id: 'yeast-' + $palace, palace: $palace, name: 'yeast', normalised_name: 'yeast'})
CREATE (b:Entity {id: 'clay-' + $palace, palace: $palace, name: 'clay', normalised_name: 'clay'})
CREATE (first)-[:REFERENCES {base_cost: 0.1, current_cost: 0.1}]->(a)
CREATE (second)-[:REFERENCES {base_cost: 0.1, current_cost: 0.1}]->(b)
CREATE (a)-[:RELATES_TO {base_cost: 0.1, current_cost: 0.1}]->(b)
