// Around one name, by text
// The drawers that mention it, and the names that share them.
// Put a name in small letters between the empty quotes, such as 'ada lovelace'. Without one, the name with most drawers
// is shown.
WITH 'main' AS palace, '' AS name
CALL (palace, name) {
  MATCH (e:Entity) WHERE e.palace = palace AND e.normalised_name = name RETURN e
  UNION
  WITH palace, name WHERE name = ''
  MATCH (e:Entity) WHERE e.palace = palace AND e.normalised_name IS NOT NULL
  RETURN e ORDER BY e.drawer_count DESC, e.id LIMIT 1
}
MATCH about = (e)<-[:REFERENCES]-(d:Drawer)
WITH e, about, d LIMIT 25
OPTIONAL MATCH beside = (d)-[:REFERENCES]->(other:Entity)
WHERE other <> e
RETURN about, beside
LIMIT 100
