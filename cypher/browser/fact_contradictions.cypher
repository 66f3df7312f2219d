// Facts that contradict
// Two objects at once for a predicate that has one.
WITH 'main' AS palace, ['born_in', 'born_on', 'died_in', 'died_on', 'lives_in', 'works_at'] AS single_valued
UNWIND single_valued AS predicate
MATCH ()-[e:RELATES_TO {palace: palace, predicate: predicate}]->()
WHERE e.invalidated_at IS NULL
WITH predicate, startNode(e) AS subject, e
ORDER BY e.id
WITH predicate, subject, collect(e) AS facts
WHERE size(facts) > 1
UNWIND facts AS one
UNWIND facts AS other
WITH predicate, subject, one, other
WHERE one.id < other.id AND endNode(one) <> endNode(other)
  AND coalesce(one.valid_from < other.valid_to, true) AND coalesce(other.valid_from < one.valid_to, true)
RETURN
  subject.name AS subject, predicate, endNode(one).name AS object, one.valid_from AS from, one.valid_to AS to,
  endNode(other).name AS other_object, other.valid_from AS other_from, other.valid_to AS other_to
ORDER BY subject, predicate
LIMIT 200
