// read_fact: read a fact by its id.
// params:  palace (string), id (string)
// returns: as read_versions; no row if the palace has no such fact
// runs:    implicit transaction, reads
MATCH (s:Entity)-[e:RELATES_TO {id: $id}]->(o:Entity)
WHERE e.palace = $palace
RETURN
  e.id AS id, s.id AS subject_id, s.name AS subject, e.predicate AS predicate, o.id AS object_id, o.name AS object,
  e.valid_from AS valid_from, e.valid_to AS valid_to, e.observed_at AS observed_at, e.invalidated_at AS invalidated_at,
  e.superseded_by AS superseded_by, e.confidence AS confidence, e.source AS source, e.drawers AS drawers,
  e.stated AS stated
