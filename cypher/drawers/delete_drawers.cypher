// delete_drawers: delete drawers with their edges, their earlier texts, the diary entries that are kept in them, and entities that nothing else needs; the others count their drawers again.
// params:  ids (list of string)
// returns: deleted (list of string), closets (list of string), facts (list of string: ids of the facts that the drawers said), replaced (bool: whether one of them took the place of another drawer, or the other way)
// runs:    explicit transaction, safe to repeat
UNWIND $ids AS id
MATCH (d:Drawer {id: id})
OPTIONAL MATCH (c:Closet)-[:HAS_DRAWER]->(d)
WITH d, d.id AS id, c.id AS closet, COLLECT { MATCH (d)-[:REFERENCES]->(e:Entity) RETURN e } AS names,
  coalesce(d.facts, []) AS said, COLLECT { MATCH (entry:DiaryEntry)-[:KEPT_IN]->(d) RETURN entry } AS entries,
  COLLECT { MATCH (d)-[:HAD_TEXT]->(v:DrawerText) RETURN v } AS earlier,
  EXISTS { (d)-[:REPLACED_BY]-() } AS replaced
FOREACH (entry IN entries + earlier | DETACH DELETE entry)
DETACH DELETE d
WITH collect(id) AS deleted, collect(DISTINCT closet) AS closets, collect(names) AS mentioned,
  reduce(facts = [], one IN collect(said) | facts + one) AS facts, any(one IN collect(replaced) WHERE one) AS replaced
CALL (mentioned) {
  UNWIND mentioned AS names
  UNWIND names AS e
  WITH DISTINCT e
  SET e.drawer_count = COUNT { (e)<-[:REFERENCES]-() }
  WITH e
  WHERE
    e.drawer_count = 0 AND e.kept_apart IS NULL AND NOT EXISTS { (e)-[:RELATES_TO]-() }
    AND NOT EXISTS { (:MergedEntity)-[:MERGED_INTO]->(e) }
  DETACH DELETE e
  RETURN count(*) AS gone
}
RETURN deleted, closets, facts, replaced
