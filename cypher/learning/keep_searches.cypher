// keep_searches: store what searches showed, so that feedback can refer to them; delete some expired ones. A search is left out if a drawer that it found was deleted meanwhile.
// params:  searches (list of map), now_ms (int)
// returns: kept (int)
// runs:    implicit transaction, safe to repeat
CALL () {
  MATCH (s:Search)
  WHERE s.expires_ms <= $now_ms
  WITH s LIMIT 200
  DELETE s
}
UNWIND $searches AS row
MATCH (p:Palace {name: row.palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p, row
WHERE p.dropped_at IS NULL AND all(found IN row.candidates WHERE EXISTS { (:Drawer {id: found}) })
MERGE (s:Search {id: row.id})
SET s += row
RETURN count(*) AS kept
