// create_edges: create relationships of one type with all that they have, except those that exist.
// params:  palace (string), rows (list of {at, source, target, properties}), source (string, placed as a literal: label), from (string, placed as a literal: property), type (string, placed as a literal), target (string, placed as a literal: label), to (string, placed as a literal: property)
// returns: at (int), created (bool), properties (map); no row where an end is missing
// runs:    explicit transaction that has locked the palace, safe to repeat
UNWIND $rows AS row
MATCH (a:__SOURCE__ {__FROM__: row.source})
WHERE a.palace = $palace
MATCH (b:__TARGET__ {__TO__: row.target})
WHERE b.palace = $palace
MERGE (a)-[r:__TYPE__]->(b)
ON CREATE SET r = row.properties, r.fresh = true
WITH row, r, coalesce(r.fresh, false) AS created
REMOVE r.fresh
RETURN row.at AS at, created, properties(r) AS properties
