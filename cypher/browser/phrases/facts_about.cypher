// Facts about $name
// What a name is connected with by facts that hold now
// $name: Entity.name
MATCH path = (n:Entity {palace: 'main'})-[e:RELATES_TO]-(:Entity)
WHERE (n.name = $name OR n.normalised_name = toLower($name))
  AND e.predicate IS NOT NULL AND e.invalidated_at IS NULL
  AND coalesce(e.valid_from <= datetime(), true) AND coalesce(e.valid_to > datetime(), true)
RETURN path
LIMIT 200
