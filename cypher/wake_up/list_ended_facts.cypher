// list_ended_facts: the facts that hold no longer, those that ended last first, among the last ones that the palace wrote, and what holds instead.
// params:  palace (string), wing_id (string or null), now (datetime), most_read (int), limit (int)
// returns: id, subject, predicate, object (strings), until (datetime or null), instead (string or null), drawer (string or null)
// runs:    implicit transaction, reads
MATCH (s:Entity)-[e:RELATES_TO]->(o:Entity)
WHERE e.palace = $palace AND e.fact_revision > 0
WITH s, e, o ORDER BY e.fact_revision DESC, e.id LIMIT $most_read
OPTIONAL MATCH (ns:Entity)-[next:RELATES_TO {id: e.superseded_by}]->(no:Entity)
WITH s, e, o, next, ns, no, ns.id = s.id AND no.id = o.id AND next.predicate = e.predicate AS same
WHERE ((e.invalidated_at IS NULL AND e.valid_to <= $now) OR (e.invalidated_at IS NOT NULL AND NOT coalesce(same, false)))
  AND (
    $wing_id IS NULL
    OR EXISTS { UNWIND e.drawers + coalesce(next.drawers, []) AS id MATCH (d:Drawer {id: id}) WHERE d.wing_id = $wing_id }
    OR (coalesce(size(e.drawers), 0) = 0 AND EXISTS { MATCH (s)<-[:REFERENCES]-(d:Drawer) WHERE d.wing_id = $wing_id })
  )
WITH s, e, o, next, ns, no ORDER BY e.fact_revision DESC, e.id LIMIT $limit
RETURN
  e.id AS id, s.name AS subject, e.predicate AS predicate, o.name AS object,
  coalesce(e.valid_to, e.invalidated_at) AS until,
  CASE WHEN next IS NOT NULL THEN ns.name + ' ' + next.predicate + ' ' + no.name END AS instead,
  head(COLLECT {
    UNWIND coalesce(next.drawers, []) + e.drawers AS id
    MATCH (d:Drawer {id: id})
    WHERE $wing_id IS NULL OR d.wing_id = $wing_id
    RETURN d.id
  }) AS drawer
