// create_links: create relationships of one type whose direction means nothing, except those that exist in either direction.
// params:  palace (string), rows (list of {at, source, target, properties}, each pair of ends once), source (string, placed as a literal: label), from (string, placed as a literal: property), type (string, placed as a literal), target (string, placed as a literal: label), to (string, placed as a literal: property)
// returns: at (int), created (bool), properties (map, or null if it was created); no row where an end is missing
// runs:    explicit transaction that has locked the palace, safe to repeat
UNWIND $rows AS row
MATCH (a:__SOURCE__ {__FROM__: row.source})
WHERE a.palace = $palace
MATCH (b:__TARGET__ {__TO__: row.target})
WHERE b.palace = $palace
WITH row, a, b, head([(a)-[there:__TYPE__]-(b) | properties(there)]) AS there
FOREACH (one IN CASE WHEN there IS NULL THEN [row] ELSE [] END |
  CREATE (a)-[r:__TYPE__]->(b)
  SET r = one.properties
)
RETURN row.at AS at, there IS NULL AS created, there AS properties
