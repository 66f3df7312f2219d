// get_or_create_entities: create entities by id, or find those that are there; a name that was merged into another by hand means that one.
// params:  palace (string), names (list of {id, name, normalised_name, entity_type, aliases: list of string}), most_aliases (int), concept (string: the type that a better one replaces)
// returns: asked (string: the given normalised name), id, name, normalised_name (strings), aliases (list of string), entity_type (string), drawer_count (int), created_at (string)
// runs:    explicit transaction that has locked the palace, safe to repeat
UNWIND $names AS row
OPTIONAL MATCH (:MergedEntity {id: row.id})-[:MERGED_INTO*1..20]->(kept:Entity)
WITH row, head(collect(kept.id)) AS kept
MERGE (e:Entity {id: coalesce(kept, row.id)})
ON CREATE SET
  e.palace = $palace, e.name = row.name, e.normalised_name = row.normalised_name, e.aliases = [],
  e.entity_type = row.entity_type, e.drawer_count = 0, e.created_at = datetime(),
  e.exploitation_pheromone = 0.0, e.exploration_pheromone = 0.0
WITH row, e, [alias IN row.aliases WHERE alias <> e.name AND NOT alias IN e.aliases] AS fresh
SET
  e.aliases = (e.aliases + fresh)[0..$most_aliases],
  e.entity_type = CASE WHEN e.entity_type = $concept THEN row.entity_type ELSE e.entity_type END
RETURN
  row.normalised_name AS asked, e.id AS id, e.name AS name, e.normalised_name AS normalised_name, e.aliases AS aliases,
  e.entity_type AS entity_type, e.drawer_count AS drawer_count, toString(e.created_at) AS created_at
