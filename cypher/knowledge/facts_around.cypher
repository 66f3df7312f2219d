// facts_around: read the facts that begin or end at some entities.
// params:  palace (string), entities (list of string), predicate (string or null), as_of (datetime or null: any time), known_at (datetime or null: now), unlearned (bool: unlearned versions too), limit (int)
// returns: as read_versions, each once, sorted by time
// runs:    implicit transaction, reads
UNWIND $entities AS id
MATCH (:Entity {id: id})-[e:RELATES_TO]-()
WITH DISTINCT e
WITH startNode(e) AS s, e, endNode(e) AS o
WHERE e.palace = $palace AND e.predicate IS NOT NULL AND ($predicate IS NULL OR e.predicate = $predicate)
  AND ($as_of IS NULL OR (coalesce(e.valid_from <= $as_of, true) AND coalesce(e.valid_to > $as_of, true)))
  AND CASE
    WHEN $known_at IS NULL THEN $unlearned OR e.invalidated_at IS NULL
    ELSE e.observed_at <= $known_at AND ($unlearned OR coalesce(e.invalidated_at > $known_at, true))
  END
RETURN
  e.id AS id, s.id AS subject_id, s.name AS subject, e.predicate AS predicate, o.id AS object_id, o.name AS object,
  e.valid_from AS valid_from, e.valid_to AS valid_to, e.observed_at AS observed_at, e.invalidated_at AS invalidated_at,
  e.superseded_by AS superseded_by, e.confidence AS confidence, e.source AS source, e.drawers AS drawers,
  e.stated AS stated
ORDER BY valid_from IS NOT NULL, valid_from, subject, predicate, object, observed_at, id
LIMIT $limit
