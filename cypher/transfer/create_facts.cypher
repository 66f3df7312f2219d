// create_facts: create versions of facts, except those that exist.
// params:  palace (string), rows (list of {at, source, target, properties: with their id})
// returns: at (int), created (bool), properties (map); no row where an end is missing
// runs:    explicit transaction that has locked the palace, safe to repeat
UNWIND $rows AS row
MATCH (a:Entity {id: row.source})
WHERE a.palace = $palace
MATCH (b:Entity {id: row.target})
WHERE b.palace = $palace
OPTIONAL MATCH ()-[old:RELATES_TO {id: row.properties.id}]->()
FOREACH (one IN CASE WHEN old IS NULL THEN [row] ELSE [] END |
  CREATE (a)-[r:RELATES_TO]->(b)
  SET r = one.properties
)
RETURN row.at AS at, old IS NULL AS created, properties(old) AS properties
