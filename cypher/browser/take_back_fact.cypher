// Take back a fact
// That was never true.
// Put the id of the fact between the quotes; fact_timeline shows it.
WITH 'main' AS palace, '' AS fact
MATCH ()-[e:RELATES_TO {id: fact}]->()
WHERE e.palace = palace AND e.invalidated_at IS NULL
MATCH (p:Palace {name: palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p, e, coalesce(p.facts, 0) + 1 AS facts, p.revision + 1 AS revision
SET p.facts = facts, p.revision = revision, e.invalidated_at = datetime(), e.fact_revision = facts
CREATE (:Change {palace: p.name, revision: revision, stored: [], removed: [], created_at: datetime()})
RETURN startNode(e) AS subject, e AS fact, endNode(e) AS object
