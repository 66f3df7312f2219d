// forget_drawers: delete the facts that were read only from some drawers, and take the drawers from the others; then delete names that nothing mentions.
// params:  palace (string), drawers (list of string), facts (list of string: ids of the facts that the drawers say)
// returns: forgotten (int: deleted facts that the palace knew)
// runs:    explicit transaction that has locked the palace, after the drawers were deleted
MATCH (p:Palace {name: $palace})
WITH p, coalesce(p.facts, 0) + 1 AS facts, coalesce(p.facts_forgot, 0) + 1 AS forgot
SET p.facts = facts, p.facts_forgot = forgot
WITH facts
CALL (facts) {
  UNWIND $facts AS id
  MATCH (s:Entity)-[e:RELATES_TO {id: id}]->(o:Entity)
  WITH facts, s, e, o, [drawer IN e.drawers WHERE NOT drawer IN $drawers] AS left
  WITH facts, s, e, o, left, size(left) = 0 AND NOT e.stated AS lone, e.invalidated_at IS NULL AS known
  FOREACH (kept IN CASE WHEN lone THEN [] ELSE [e] END | SET kept.drawers = left, kept.fact_revision = facts)
  FOREACH (gone IN CASE WHEN lone THEN [e] ELSE [] END | DELETE gone)
  RETURN sum(CASE WHEN lone AND known THEN 1 ELSE 0 END) AS forgotten, collect(s) + collect(o) AS ends
}
CALL (ends) {
  UNWIND ends AS end
  WITH DISTINCT end
  WHERE end.kept_apart IS NULL AND NOT EXISTS { (end)--() }
  DELETE end
}
RETURN forgotten
