// find_facts: find facts by what they say, among those that the palace knew at a moment, and that held at a moment.
// params:  palace (string), subject (string or null: id), predicate (string or null), object (string or null: id), as_of (datetime or null: any time), known_at (datetime or null: now), limit (int)
// returns: as read_versions, sorted by subject, predicate and time
// runs:    implicit transaction, reads
CALL () {
  MATCH (:Entity {id: $subject})-[e:RELATES_TO]->()
  RETURN e
  UNION ALL
  MATCH (:Entity {id: $object})<-[e:RELATES_TO]-()
  WHERE $subject IS NULL
  RETURN e
  UNION ALL
  MATCH ()-[e:RELATES_TO {palace: $palace, predicate: $predicate}]->()
  WHERE $subject IS NULL AND $object IS NULL
  RETURN e
  UNION ALL
  MATCH ()-[e:RELATES_TO {palace: $palace}]->()
  WHERE e.predicate IS NOT NULL AND $subject IS NULL AND $object IS NULL AND $predicate IS NULL
  RETURN e
}
WITH startNode(e) AS s, e, endNode(e) AS o
WHERE e.palace = $palace AND ($predicate IS NULL OR e.predicate = $predicate) AND ($object IS NULL OR o.id = $object)
  AND ($as_of IS NULL OR (coalesce(e.valid_from <= $as_of, true) AND coalesce(e.valid_to > $as_of, true)))
  AND CASE
    WHEN $known_at IS NULL THEN e.invalidated_at IS NULL
    ELSE e.observed_at <= $known_at AND coalesce(e.invalidated_at > $known_at, true)
  END
RETURN
  e.id AS id, s.id AS subject_id, s.name AS subject, e.predicate AS predicate, o.id AS object_id, o.name AS object,
  e.valid_from AS valid_from, e.valid_to AS valid_to, e.observed_at AS observed_at, e.invalidated_at AS invalidated_at,
  e.superseded_by AS superseded_by, e.confidence AS confidence, e.source AS source, e.drawers AS drawers,
  e.stated AS stated
ORDER BY subject, predicate, valid_from IS NOT NULL, valid_from, object, id
LIMIT $limit
