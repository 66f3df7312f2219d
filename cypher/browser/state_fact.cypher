// State a fact
// Between two names that the palace has.
// Put the names and the predicate between the quotes and, if it is known, the first day, such as 2019-05-31.
WITH 'main' AS palace, '' AS subject, '' AS predicate, '' AS object, '' AS since
MATCH (s:Entity {palace: palace, normalised_name: toLower(subject)})
MATCH (o:Entity {palace: palace, normalised_name: toLower(object)})
MATCH (p:Palace {name: palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p, s, o, predicate, CASE WHEN since <> '' THEN datetime(since) END AS begin
WHERE predicate <> '' AND NOT EXISTS {
  MATCH (s)-[known:RELATES_TO]->(o)
  WHERE known.predicate = predicate AND known.invalidated_at IS NULL AND known.valid_to IS NULL
    AND coalesce(known.valid_from = begin, known.valid_from IS NULL AND begin IS NULL)
}
WITH p, s, o, predicate, begin, coalesce(p.facts, 0) + 1 AS facts, p.revision + 1 AS revision
SET p.facts = facts, p.revision = revision
CREATE (s)-[e:RELATES_TO {
  id: 'fact-' + randomUUID(), palace: p.name, predicate: predicate, valid_from: begin, observed_at: datetime(),
  confidence: 1.0, source: 'stated', drawers: [], stated: true, fact_revision: facts, base_cost: 1.0, current_cost: 1.0,
  success_pheromone: 0.0, traversal_pheromone: 0.0, recency_pheromone: 0.0
}]->(o)
CREATE (:Change {palace: p.name, revision: revision, stored: [], removed: [], created_at: datetime()})
RETURN s, e, o
