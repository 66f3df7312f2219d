// return_facts: move those facts back to an entity that came from it when it was merged.
// params:  keep (string), released (string)
// returns: facts (int)
// runs:    explicit transaction that has locked the palace, after release_entity
MATCH (a:Entity {id: $keep}), (b:Entity {id: $released})
MATCH (a)-[f:RELATES_TO]-(:Entity)
WITH DISTINCT a, b, f, properties(f) AS was
WITH
  a, b, f, was,
  startNode(f) = a AND coalesce(last(was.subjects_before) = b.id, false) AS from_subject,
  endNode(f) = a AND coalesce(last(was.objects_before) = b.id, false) AS from_object
WHERE from_subject OR from_object
WITH
  f, was, CASE WHEN from_subject THEN b ELSE startNode(f) END AS subject, CASE WHEN from_object THEN b ELSE endNode(f) END AS object,
  was.subjects_before[0..size(was.subjects_before) - CASE WHEN from_subject THEN 1 ELSE 0 END] AS subjects,
  was.objects_before[0..size(was.objects_before) - CASE WHEN from_object THEN 1 ELSE 0 END] AS objects
REMOVE f.id // which is unique
CREATE (subject)-[n:RELATES_TO]->(object)
SET
  n = was,
  n.subjects_before = CASE WHEN size(subjects) > 0 THEN subjects END,
  n.objects_before = CASE WHEN size(objects) > 0 THEN objects END
DELETE f
RETURN count(*) AS facts
