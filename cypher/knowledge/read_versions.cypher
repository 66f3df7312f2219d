// read_versions: read all versions of the facts of a subject and a predicate, unlearned ones too.
// params:  subject (string: id), predicate (string), object (string or null: id)
// returns: id, subject_id, subject, predicate, object_id, object (strings), valid_from, valid_to, observed_at, invalidated_at (datetimes or null), superseded_by (string or null), confidence (float), source (string), drawers (list of string), stated (bool)
// runs:    implicit transaction, reads; explicit transaction before a change
MATCH (s:Entity {id: $subject})-[e:RELATES_TO]->(o:Entity)
WHERE e.predicate = $predicate AND ($object IS NULL OR o.id = $object)
RETURN
  e.id AS id, s.id AS subject_id, s.name AS subject, e.predicate AS predicate, o.id AS object_id, o.name AS object,
  e.valid_from AS valid_from, e.valid_to AS valid_to, e.observed_at AS observed_at, e.invalidated_at AS invalidated_at,
  e.superseded_by AS superseded_by, e.confidence AS confidence, e.source AS source, e.drawers AS drawers,
  e.stated AS stated
