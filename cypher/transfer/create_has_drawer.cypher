// create_has_drawer: put drawers into their closets, except those that are in another one.
// params:  palace (string), rows (list of {at, source, target, properties})
// returns: at (int), created (bool), properties (map); no row where an end is missing
// runs:    explicit transaction that has locked the palace, safe to repeat
UNWIND $rows AS row
MATCH (a:Closet {id: row.source})
WHERE a.palace = $palace
MATCH (b:Drawer {id: row.target})
WHERE b.palace = $palace
FOREACH (one IN CASE WHEN EXISTS { (:Closet)-[:HAS_DRAWER]->(b) } THEN [] ELSE [row] END |
  CREATE (a)-[r:HAS_DRAWER]->(b)
  SET r = one.properties, r.fresh = true
)
WITH row, b
MATCH (:Closet)-[r:HAS_DRAWER]->(b)
WITH row, r, coalesce(r.fresh, false) AS created
REMOVE r.fresh
RETURN row.at AS at, created, properties(r) AS properties
