// read_entity: read an entity in a transaction.
// params:  id (string)
// returns: id, name, normalised_name (strings), aliases (list of string), entity_type (string), drawer_count (int), created_at (string), kept_apart (list of string)
// runs:    any transaction, reads
MATCH (e:Entity {id: $id})
RETURN
  e.id AS id, e.name AS name, e.normalised_name AS normalised_name, e.aliases AS aliases,
  e.entity_type AS entity_type, e.drawer_count AS drawer_count, toString(e.created_at) AS created_at,
  coalesce(e.kept_apart, []) AS kept_apart
