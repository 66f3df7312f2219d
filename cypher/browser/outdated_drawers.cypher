// Outdated drawers
// Those all of whose facts have ended, with what they said.
WITH 'main' AS palace
MATCH ()-[e:RELATES_TO {palace: palace}]->()
WHERE e.predicate IS NOT NULL AND e.invalidated_at IS NULL
UNWIND e.drawers AS drawer
WITH drawer, collect(e) AS facts, max(e.valid_to) AS since
WHERE all(e IN facts WHERE e.valid_to <= datetime())
MATCH (d:Drawer {id: drawer})
RETURN
  since, d.text AS text, [e IN facts | startNode(e).name + ' ' + e.predicate + ' ' + endNode(e).name] AS facts, d.id AS drawer
ORDER BY since DESC
LIMIT 100
