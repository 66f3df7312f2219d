// Replace a fact
// By another one, which holds from now or from a moment on.
// Put the names and the predicate between the quotes and, if it was not now, the day of the change, such as 2023-04-01.
WITH 'main' AS palace, '' AS subject, '' AS predicate, '' AS object, '' AS day
MATCH (s:Entity {palace: palace, normalised_name: toLower(subject)})
MATCH (o:Entity {palace: palace, normalised_name: toLower(object)})
MATCH (p:Palace {name: palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p, s, o, predicate, CASE WHEN day = '' THEN datetime() ELSE datetime(day) END AS at
WHERE predicate <> '' AND NOT EXISTS {
  MATCH (s)-[known:RELATES_TO]->(o)
  WHERE known.predicate = predicate AND known.invalidated_at IS NULL
    AND coalesce(known.valid_from <= at, true) AND coalesce(known.valid_to > at, true)
}
WITH
  p, s, o, predicate, at, coalesce(p.facts, 0) + 1 AS facts, p.revision + 1 AS revision, 'fact-' + randomUUID() AS new,
  COLLECT { MATCH (s)-[e:RELATES_TO]->() WHERE e.predicate = predicate AND e.invalidated_at IS NULL RETURN e } AS known
SET p.facts = facts, p.revision = revision
CREATE (:Change {palace: p.name, revision: revision, stored: [], removed: [], created_at: datetime()})
WITH
  p, s, o, predicate, at, facts, new, reduce(next = null, e IN [e IN known WHERE e.valid_from > at] |
    CASE WHEN next IS NULL OR e.valid_from < next THEN e.valid_from ELSE next END
  ) AS until,
  [e IN known WHERE coalesce(e.valid_from <= at, true) AND coalesce(e.valid_to > at, true)] AS ending
CREATE (s)-[:RELATES_TO {
  id: new, palace: p.name, predicate: predicate, valid_from: at, valid_to: until, observed_at: datetime(),
  confidence: 1.0, source: 'stated', drawers: [], stated: true, fact_revision: facts, base_cost: 1.0, current_cost: 1.0,
  success_pheromone: 0.0, traversal_pheromone: 0.0, recency_pheromone: 0.0
}]->(o)
WITH s, o, at, facts, new, ending
CALL (s, at, facts, new, ending) {
  UNWIND ending AS e
  WITH s, at, facts, new, e, endNode(e) AS old, properties(e) AS was, coalesce(e.valid_from < at, true) AS held
  WITH s, at, facts, new, e, old, was, held, CASE WHEN held THEN 'fact-' + randomUUID() ELSE new END AS next
  FOREACH (one IN CASE WHEN held THEN [old] ELSE [] END |
    CREATE (s)-[rest:RELATES_TO {id: next}]->(one)
    SET rest += was {.*, id: next, valid_to: at, superseded_by: new, observed_at: datetime(), fact_revision: facts}
  )
  SET e.invalidated_at = datetime(), e.superseded_by = next, e.fact_revision = facts
  REMOVE e.pheromone_cycle, e.warm_in
  RETURN count(*) AS ended
}
RETURN s, o, ended
