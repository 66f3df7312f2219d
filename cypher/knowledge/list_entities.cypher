// list_entities: list entities of a palace or a wing, those with most drawers there first; a query finds names and aliases that contain it.
// params:  palace (string), query (string: normalised, or empty), entity_type (string or null), wing_id (string or null: all wings), offset (int), limit (int)
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
WITH
  e,
  CASE
    WHEN $wing_id IS NULL THEN e.drawer_count
    ELSE COUNT { (e)<-[:REFERENCES]-(:Drawer {wing_id: $wing_id}) }
  END AS drawers
WHERE $wing_id IS NULL OR drawers > 0
WITH e, drawers ORDER BY drawers DESC, e.normalised_name SKIP $offset LIMIT $limit
RETURN
  e.id AS id, e.name AS name, e.normalised_name AS normalised_name, e.aliases AS aliases,
  e.entity_type AS entity_type, drawers AS drawer_count, toString(e.created_at) AS created_at
