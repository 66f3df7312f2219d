// list_conversations: a page of conversations, the one that was filed last first.
// params:  palace (string), wing_id (string or null), project (string or null), host (string or null), conversation (string or null), before_ms (int or null), before_id (string), limit (int)
// returns: conversation (map), filed_ms (int)
// runs:    implicit transaction, reads
MATCH (c:Closet {palace: $palace})
WHERE c.filed_at IS NOT NULL
  AND ($wing_id IS NULL OR c.wing_id = $wing_id)
  AND ($project IS NULL OR c.project = $project)
  AND ($host IS NULL OR c.host = $host)
  AND ($conversation IS NULL OR c.conversation = $conversation)
WITH c, c.filed_at.epochMillis AS filed_ms
WHERE $before_ms IS NULL OR filed_ms < $before_ms OR (filed_ms = $before_ms AND c.id > $before_id)
ORDER BY filed_ms DESC, c.id
LIMIT $limit
MATCH (w:Wing {id: c.wing_id})
OPTIONAL MATCH (c)-[:HAS_DRAWER]->(d:Drawer)
WITH c, w, filed_ms, count(d) AS drawers, collect(DISTINCT d.author) AS speakers, min(d.occurred_at) AS began, max(d.occurred_at) AS ended
RETURN
  {
    id: c.id, conversation: c.conversation, host: c.host, wing: w.name, project: c.project, title: c.title,
    source_uri: c.source_uri, drawers: drawers, speakers: speakers, began_at: toString(began), ended_at: toString(ended),
    filed_at: toString(c.filed_at)
  } AS conversation, filed_ms
ORDER BY filed_ms DESC, c.id
