// mention: a drawer mentions a name, and the change feed says so.
// params:  palace (string), drawer, entity, name, normalised (strings), is_title (bool)
// returns:
// runs:    implicit transaction
MATCH (p:Palace {name: $palace})
MATCH (d:Drawer {id: $drawer})
SET p.revision = p.revision + 1
CREATE (:Change {
  palace: $palace, revision: p.revision, stored: [], removed: [], named: [$drawer], created_at: datetime()
})
MERGE (e:Entity {id: $entity})
ON CREATE SET e.palace = $palace, e.name = $name, e.normalised_name = $normalised, e.aliases = []
MERGE (d)-[r:REFERENCES]->(e)
ON CREATE SET r.base_cost = 0.5, r.current_cost = 0.5, r.is_title = $is_title, r.count = 1
