// create_has_closet: put closets into rooms, unless all their drawers are in other rooms.
// params:  palace (string), rows (list of {at, source, target, properties})
// returns: at (int), created (bool), properties (map or null); no row where an end is missing
// runs:    explicit transaction that has locked the palace, safe to repeat
UNWIND $rows AS row
MATCH (a:Room {id: row.source})
WHERE a.palace = $palace
MATCH (b:Closet {id: row.target})
WHERE b.palace = $palace
WITH
  row, a, b,
  NOT EXISTS { (:Room)-[:HAS_CLOSET]->(b) }
    OR EXISTS { MATCH (b)-[:HAS_DRAWER]->(d:Drawer) WHERE d.room_id = a.id } AS wanted
FOREACH (one IN CASE WHEN wanted THEN [row] ELSE [] END |
  MERGE (a)-[r:HAS_CLOSET]->(b)
  ON CREATE SET r = one.properties, r.fresh = true
)
WITH row, a, b
OPTIONAL MATCH (a)-[r:HAS_CLOSET]->(b)
WITH row, r, coalesce(r.fresh, false) AS created
REMOVE r.fresh
RETURN row.at AS at, created, properties(r) AS properties
