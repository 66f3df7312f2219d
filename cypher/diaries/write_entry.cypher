// write_entry: write an entry into the diary of an agent, who is created if missing. The text of an entry that can be searched is in its drawer.
// params:  palace (string), agent_id (string), agent (string), id (string), topic (string), text (string or null), drawer (string or null)
// returns: id (string), written_at (string); no row if the drawer is not in the palace
// runs:    explicit transaction that has locked the palace
MATCH (p:Palace {name: $palace})
MERGE (a:Agent {id: $agent_id})
ON CREATE SET a.palace = $palace, a.name = $agent, a.created_at = datetime()
MERGE (p)-[:MANAGES]->(a)
WITH a
OPTIONAL MATCH (d:Drawer {id: $drawer})
WITH a, d
WHERE d IS NOT NULL OR $text IS NOT NULL
CREATE (a)-[:WROTE]->(e:DiaryEntry {id: $id, palace: $palace, topic: $topic, text: $text, written_at: datetime()})
FOREACH (one IN CASE WHEN d IS NULL THEN [] ELSE [d] END | CREATE (e)-[:KEPT_IN]->(one))
RETURN e.id AS id, toString(e.written_at) AS written_at
