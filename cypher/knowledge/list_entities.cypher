// list_entities: list entities of a palace, those with most drawers first; a query finds names and aliases that contain it.
// params:  palace (string), query (string: normalised, or empty), entity_type (string or null), offset (int), limit (int)
// returns: id, name, normalised_name (strings), aliases (list of string), entity_type (string), drawer_count (int), created_at (string)
// runs:    implicit transaction, reads
MATCH (e:Entity)
WHERE
  e.palace = $palace AND e.normalised_name IS NOT NULL
  AND ($entity_type IS NULL OR e.entity_type = $entity_type)
  AND (
    $query = '' OR e.normalised_name CONTAINS $query
    OR any(alias IN e.aliases WHERE toLower(alias) CONTAINS $query)
  )
WITH e ORDER BY e.drawer_count DESC, e.normalised_name SKIP $offset LIMIT $limit
RETURN
  e.id AS id, e.name AS name, e.normalised_name AS normalised_name, e.aliases AS aliases,
  e.entity_type AS entity_type, e.drawer_count AS drawer_count, toString(e.created_at) AS created_at
