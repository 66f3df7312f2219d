// load_facts: load the facts that were written since a revision of a palace's facts, unlearned versions too, with the names that they are about.
// params:  palace (string), since (int)
// returns: facts (list of maps, as read_versions), names (list of {id, name, aliases})
// runs:    implicit transaction, reads
MATCH ()-[e:RELATES_TO {palace: $palace}]->()
WHERE e.fact_revision > $since
WITH startNode(e) AS s, e, endNode(e) AS o
WITH collect({
  id: e.id, subject_id: s.id, subject: s.name, predicate: e.predicate, object_id: o.id, object: o.name,
  valid_from: e.valid_from, valid_to: e.valid_to, observed_at: e.observed_at, invalidated_at: e.invalidated_at,
  superseded_by: e.superseded_by, confidence: e.confidence, source: e.source, drawers: e.drawers, stated: e.stated
}) AS facts, collect(DISTINCT s) + collect(DISTINCT o) AS ends
CALL (ends) {
  UNWIND ends AS end
  WITH DISTINCT end
  RETURN collect({id: end.id, name: end.name, aliases: coalesce(end.aliases, [])}) AS names
}
RETURN facts, names
