// refer: a drawer refers to an entity.
// params:  drawer (string), entity (string)
// returns:
// runs:    implicit transaction
MATCH (d:Drawer {id: $drawer}), (n:Entity {id: $entity})
CREATE (d)-[:REFERENCES {base_cost: 0.1, current_cost: 0.1}]->(n)
