// find_entity: find the entity that an id or a name means: its own, or one that was merged into it.
// params:  palace (string), id (string: as given, or as it follows from the name)
// returns: id, name, normalised_name (strings), aliases (list of string), entity_type (string), drawer_count (int), created_at (string)
// runs:    implicit transaction, reads
CALL () {
  MATCH (e:Entity {id: $id}) WHERE e.palace = $palace RETURN e, 0 AS how
  UNION
  MATCH (:MergedEntity {id: $id})-[:MERGED_INTO*1..20]->(e:Entity) WHERE e.palace = $palace RETURN e, 1 AS how
}
RETURN
  e.id AS id, e.name AS name, e.normalised_name AS normalised_name, e.aliases AS aliases,
  e.entity_type AS entity_type, e.drawer_count AS drawer_count, toString(e.created_at) AS created_at
ORDER BY how
LIMIT 1
