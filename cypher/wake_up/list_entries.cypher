// list_entries: the latest entries of an agent's diary; of all agents' diaries, those that a search finds.
// params:  palace (string), agent_id (string or null), topics (list of string or null: in small letters), limit (int)
// returns: id (string), text (string), at (datetime), drawer (string or null)
// runs:    implicit transaction, reads
MATCH (:Palace {name: $palace})-[:MANAGES]->(a:Agent)-[:WROTE]->(e:DiaryEntry)
WHERE ($agent_id IS NULL OR a.id = $agent_id) AND ($topics IS NULL OR toLower(e.topic) IN $topics)
OPTIONAL MATCH (e)-[:KEPT_IN]->(d:Drawer)
WITH e, d
WHERE d.text IS NOT NULL OR ($agent_id IS NOT NULL AND e.text IS NOT NULL)
RETURN e.id AS id, left(coalesce(d.text, e.text), 400) AS text, e.written_at AS at, d.id AS drawer
ORDER BY at DESC, id
LIMIT $limit
