// list_current_facts: the facts that hold, those that were written last first, among the last ones that the palace wrote.
// params:  palace (string), wing_id (string or null), now (datetime), most_read (int), limit (int)
// returns: id, subject, predicate, object (strings), since (datetime or null), drawer (string or null)
// runs:    implicit transaction, reads
MATCH (s:Entity)-[e:RELATES_TO]->(o:Entity)
WHERE e.palace = $palace AND e.fact_revision > 0
WITH s, e, o ORDER BY e.fact_revision DESC, e.id LIMIT $most_read
WITH s, e, o
WHERE e.invalidated_at IS NULL AND coalesce(e.valid_from <= $now, true) AND coalesce(e.valid_to > $now, true)
  AND (
    $wing_id IS NULL
    OR EXISTS { UNWIND e.drawers AS id MATCH (d:Drawer {id: id}) WHERE d.wing_id = $wing_id }
    OR (coalesce(size(e.drawers), 0) = 0 AND EXISTS { MATCH (s)<-[:REFERENCES]-(d:Drawer) WHERE d.wing_id = $wing_id })
  )
WITH s, e, o ORDER BY e.fact_revision DESC, e.id LIMIT $limit
RETURN
  e.id AS id, s.name AS subject, e.predicate AS predicate, o.name AS object, e.valid_from AS since,
  head(COLLECT {
    UNWIND e.drawers AS id
    MATCH (d:Drawer {id: id})
    WHERE $wing_id IS NULL OR d.wing_id = $wing_id
    RETURN d.id ORDER BY d.id
  }) AS drawer
