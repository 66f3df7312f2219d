// move_facts: move all facts about an entity to another, and note on each where it came from.
// params:  keep (string), absorbed (string)
// returns: facts (int)
// runs:    explicit transaction that has locked the palace, before absorb_entity
MATCH (a:Entity {id: $keep}), (b:Entity {id: $absorbed})
MATCH (b)-[f:RELATES_TO]-(:Entity)
WITH DISTINCT a, b, f, startNode(f) AS s, endNode(f) AS o, properties(f) AS was
WITH
  f, was, CASE WHEN s = b THEN a ELSE s END AS subject, CASE WHEN o = b THEN a ELSE o END AS object,
  coalesce(was.subjects_before, []) + CASE WHEN s = b THEN [b.id] ELSE [] END AS subjects,
  coalesce(was.objects_before, []) + CASE WHEN o = b THEN [b.id] ELSE [] END AS objects
REMOVE f.id // which is unique
CREATE (subject)-[n:RELATES_TO]->(object)
SET
  n = was,
  n.subjects_before = CASE WHEN size(subjects) > 0 THEN subjects END,
  n.objects_before = CASE WHEN size(objects) > 0 THEN objects END
DELETE f
RETURN count(*) AS facts
