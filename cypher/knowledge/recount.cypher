// recount: count the drawers of entities again, and delete entities that no drawer, no fact and no merge by hand needs.
// params:  ids (list of string)
// returns: gone (list of string)
// runs:    explicit transaction that has locked the palace, safe to repeat
UNWIND $ids AS id
MATCH (e:Entity {id: id})
SET e.drawer_count = COUNT { (e)<-[:REFERENCES]-() }
WITH e, e.id AS id
WHERE
  e.drawer_count = 0 AND e.kept_apart IS NULL AND NOT EXISTS { (e)-[:RELATES_TO]-() }
  AND NOT EXISTS { (:MergedEntity)-[:MERGED_INTO]->(e) }
DETACH DELETE e
RETURN collect(id) AS gone
