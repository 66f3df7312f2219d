// list_agents: list the agents of a palace with the number of entries in their diaries.
// params:  palace (string)
// returns: name (string), created_at (string), entries (int), last_written_at (string or null)
// runs:    implicit transaction, reads
MATCH (:Palace {name: $palace})-[:MANAGES]->(a:Agent)
OPTIONAL MATCH (a)-[:WROTE]->(e:DiaryEntry)
WHERE e.text IS NOT NULL OR EXISTS { (e)-[:KEPT_IN]->(:Drawer) }
WITH a, count(e) AS entries, max(e.written_at) AS last
RETURN a.name AS name, toString(a.created_at) AS created_at, entries, toString(last) AS last_written_at
ORDER BY name
