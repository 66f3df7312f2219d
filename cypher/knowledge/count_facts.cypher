// count_facts: count the facts of a palace, and those of each predicate.
// params:  palace (string), now (datetime), most (int: predicates)
// returns: facts, current, invalidated, proposed, names, drawers (ints), predicates (list of {predicate, facts})
// runs:    implicit transaction, reads
CALL () {
  MATCH ()-[e:RELATES_TO {palace: $palace}]->()
  WHERE e.predicate IS NOT NULL
  RETURN
    sum(CASE WHEN e.invalidated_at IS NULL THEN 1 ELSE 0 END) AS facts,
    sum(CASE WHEN e.invalidated_at IS NULL AND coalesce(e.valid_from <= $now, true) AND coalesce(e.valid_to > $now, true) THEN 1 ELSE 0 END) AS current,
    sum(CASE WHEN e.invalidated_at IS NULL THEN 0 ELSE 1 END) AS invalidated,
    sum(CASE WHEN e.invalidated_at IS NULL AND e.confidence < 1 THEN 1 ELSE 0 END) AS proposed
}
CALL () {
  MATCH ()-[e:RELATES_TO {palace: $palace}]->()
  WHERE e.predicate IS NOT NULL AND e.invalidated_at IS NULL
  UNWIND [startNode(e), endNode(e)] AS end
  RETURN count(DISTINCT end) AS names
}
CALL () {
  MATCH ()-[e:RELATES_TO {palace: $palace}]->()
  WHERE e.predicate IS NOT NULL AND e.invalidated_at IS NULL
  UNWIND e.drawers AS drawer
  RETURN count(DISTINCT drawer) AS drawers
}
RETURN
  facts, current, invalidated, proposed, names, drawers,
  COLLECT {
    MATCH ()-[e:RELATES_TO {palace: $palace}]->()
    WHERE e.predicate IS NOT NULL AND e.invalidated_at IS NULL
    WITH e.predicate AS predicate, count(*) AS known
    ORDER BY known DESC, predicate
    LIMIT $most
    RETURN {predicate: predicate, facts: known}
  } AS predicates
