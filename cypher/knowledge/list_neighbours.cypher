// list_neighbours: list the entities that share most drawers with an entity.
// params:  id (string), drawers (int: of the entity, those that mention it most), limit (int)
// returns: id, name, entity_type (strings), shared (int: drawers), drawer_count (int)
// runs:    implicit transaction, reads
MATCH (e:Entity {id: $id})<-[r:REFERENCES]-(d:Drawer)
WITH e, d ORDER BY r.is_title DESC, r.count DESC, d.id LIMIT $drawers
MATCH (d)-[:REFERENCES]->(other:Entity)
WHERE other <> e
WITH other, count(*) AS shared
ORDER BY shared DESC, other.drawer_count, other.id LIMIT $limit
RETURN
  other.id AS id, other.name AS name, other.entity_type AS entity_type, shared, other.drawer_count AS drawer_count
