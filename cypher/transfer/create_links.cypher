// create_links: create relationships of one type whose direction means nothing, except those that exist in either direction.
// params:  palace (string), rows (list of {at, source, target, properties}), source (string, placed as a literal: label), from (string, placed as a literal: property), type (string, placed as a literal), target (string, placed as a literal: label), to (string, placed as a literal: property)
// returns: at (int), created (bool), properties (map); no row where an end is missing
// runs:    explicit transaction that has locked the palace, safe to repeat
UNWIND $rows AS row
MATCH (a:__SOURCE__ {__FROM__: row.source})
WHERE a.palace = $palace
MATCH (b:__TARGET__ {__TO__: row.target})
WHERE b.palace = $palace
CALL (a, b, row) {
  OPTIONAL MATCH (a)<-[there:__TYPE__]-(b)
  WITH a, b, row, head(collect(there)) AS there
  FOREACH (one IN CASE WHEN there IS NULL THEN [row] ELSE [] END |
    MERGE (a)-[r:__TYPE__]->(b)
    ON CREATE SET r = one.properties, r.fresh = true
  )
}
MATCH (a)-[r:__TYPE__]-(b)
WITH row, r, coalesce(r.fresh, false) AS created
REMOVE r.fresh
RETURN row.at AS at, created, properties(r) AS properties
