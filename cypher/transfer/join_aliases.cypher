// join_aliases: give entities that both have the aliases of both.
// params:  rows (list of {id, aliases, kept_apart})
// returns: entities (int)
// runs:    explicit transaction that has locked the palace, safe to repeat
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
WITH e, row, coalesce(e.aliases, []) AS aliases, coalesce(e.kept_apart, []) AS apart
WITH
  e, aliases + [one IN row.aliases WHERE NOT one IN aliases] AS aliases,
  apart + [one IN row.kept_apart WHERE NOT one IN apart] AS apart
SET e.aliases = aliases, e.kept_apart = CASE WHEN size(apart) > 0 THEN apart END
RETURN count(*) AS entities
