// delete_names: delete names with the names that were merged into them and all facts about them. The names in the drawers that mention them are read again.
// params:  palace (string), names (list of string: ids of entities)
// returns: names (int), facts (list of string: ids), drawers (list of string: those that mention them)
// runs:    explicit transaction that has locked the palace
MATCH (p:Palace {name: $palace})
WITH p, coalesce(p.facts, 0) + 1 AS facts, coalesce(p.facts_forgot, 0) + 1 AS forgot
SET p.facts = facts, p.facts_forgot = forgot
WITH p
UNWIND $names AS id
MATCH (e:Entity {id: id})
WITH
  e, COLLECT { MATCH (m:MergedEntity)-[:MERGED_INTO*1..20]->(e) RETURN m } AS merged,
  COLLECT { MATCH (e)-[fact:RELATES_TO]-(:Entity) RETURN DISTINCT fact.id } AS facts,
  COLLECT { MATCH (d:Drawer)-[:REFERENCES]->(e) RETURN d } AS drawers,
  COLLECT { MATCH (e)-[:RELATES_TO]-(other:Entity) WHERE NOT other.id IN $names RETURN DISTINCT other } AS others
FOREACH (one IN drawers | SET one.names_due = $palace)
FOREACH (one IN merged | DETACH DELETE one)
DETACH DELETE e
WITH count(*) AS names, collect(facts) AS facts, collect([one IN drawers | one.id]) AS drawers, collect(others) AS others
CALL (others) {
  UNWIND others AS some
  UNWIND some AS other
  WITH DISTINCT other
  WHERE other.kept_apart IS NULL AND NOT EXISTS { (other)--() }
  DELETE other
  RETURN count(*) AS lone
}
RETURN
  names, reduce(all = [], one IN facts | all + one) AS facts, reduce(all = [], one IN drawers | all + one) AS drawers
