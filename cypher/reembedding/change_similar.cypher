// change_similar: delete some SIMILAR_TO edges, and give others their new similarity; their trails stay as they are.
// params:  gone (list of [id, id]), kept (list of [id, id, similarity])
// returns: kept (int)
// runs:    explicit transaction that has locked the palace, safe to repeat
CALL () {
  UNWIND $gone AS pair
  MATCH (:Drawer {id: pair[0]})-[e:SIMILAR_TO]-(:Drawer {id: pair[1]})
  DELETE e
}
UNWIND $kept AS row
MATCH (:Drawer {id: row[0]})-[e:SIMILAR_TO]-(:Drawer {id: row[1]})
WITH e, row[2] AS similarity, CASE WHEN row[2] > 1 THEN 0.0 ELSE 1 - row[2] END AS cost
// The discount of a trail is a share of the base cost (seed 003), so it stays the same share.
WITH
  e, similarity, cost,
  CASE WHEN e.base_cost > 0 AND e.current_cost <> e.base_cost THEN cost * e.current_cost / e.base_cost ELSE cost END AS current_cost
SET e.similarity = similarity, e.base_cost = cost, e.current_cost = current_cost
RETURN count(*) AS kept
