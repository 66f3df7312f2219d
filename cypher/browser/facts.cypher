// Facts that hold now
// Names, and the facts that join them.
WITH 'main' AS palace
MATCH ()-[e:RELATES_TO {palace: palace}]->()
WHERE e.predicate IS NOT NULL AND e.invalidated_at IS NULL
  AND coalesce(e.valid_from <= datetime(), true) AND coalesce(e.valid_to > datetime(), true)
RETURN startNode(e) AS subject, e AS fact, endNode(e) AS object
ORDER BY e.observed_at DESC
LIMIT 200
