// Facts, counted
// How many there are, by predicate.
WITH 'main' AS palace
MATCH ()-[e:RELATES_TO {palace: palace}]->()
WHERE e.predicate IS NOT NULL
RETURN
  e.predicate AS predicate, count(CASE WHEN e.invalidated_at IS NULL THEN 1 END) AS known,
  count(CASE
    WHEN e.invalidated_at IS NULL AND coalesce(e.valid_from <= datetime(), true) AND coalesce(e.valid_to > datetime(), true)
    THEN 1
  END) AS current,
  count(e.invalidated_at) AS taken_back, count(CASE WHEN e.confidence < 1 THEN 1 END) AS proposed
ORDER BY known DESC, predicate
