// keep_apart: note that a name which documents use for an entity is another one.
// params:  id (string), normalised_name (string), aliases (list of string: those that the entity keeps)
// returns: id (string)
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (e:Entity {id: $id})
SET
  e.aliases = $aliases,
  e.kept_apart = [name IN coalesce(e.kept_apart, []) WHERE name <> $normalised_name] + $normalised_name
RETURN e.id AS id
