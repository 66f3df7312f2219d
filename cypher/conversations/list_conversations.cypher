// list_conversations: a page of conversations, the one that was filed last first, or the one that went on last.
// params:  palace (string), wing_id (string or null), project (string or null), host (string or null), conversation (string or null), by_said (bool: the one that went on last comes first), since_ms (int or null: it went on then or later), until_ms (int or null: it began before), before_ms (int or null), before_id (string), limit (int)
// returns: conversation (map), at_ms (int: what it is ordered by)
// runs:    implicit transaction, reads
MATCH (c:Closet {palace: $palace})
WHERE c.filed_at IS NOT NULL
  AND ($wing_id IS NULL OR c.wing_id = $wing_id)
  AND ($project IS NULL OR c.project = $project)
  AND ($host IS NULL OR c.host = $host)
  AND ($conversation IS NULL OR c.conversation = $conversation)
CALL (c) {
  OPTIONAL MATCH (c)-[:HAS_DRAWER]->(d:Drawer)
  RETURN min(d.occurred_at) AS began, max(d.occurred_at) AS ended
}
WITH c, began, ended, CASE WHEN $by_said THEN coalesce(ended, c.filed_at) ELSE c.filed_at END.epochMillis AS at_ms
WHERE ($since_ms IS NULL OR coalesce(ended, c.filed_at).epochMillis >= $since_ms)
  AND ($until_ms IS NULL OR coalesce(began, c.filed_at).epochMillis < $until_ms)
  AND ($before_ms IS NULL OR at_ms < $before_ms OR (at_ms = $before_ms AND c.id > $before_id))
ORDER BY at_ms DESC, c.id
LIMIT $limit
MATCH (w:Wing {id: c.wing_id})
OPTIONAL MATCH (c)-[:HAS_DRAWER]->(d:Drawer)
WITH c, w, began, ended, at_ms, d
ORDER BY d.position // speakers as they first spoke
WITH c, w, began, ended, at_ms, count(d) AS drawers, collect(DISTINCT d.author) AS speakers
RETURN
  {
    id: c.id, conversation: c.conversation, host: c.host, wing: w.name, project: c.project, title: c.title,
    source_uri: c.source_uri, drawers: drawers, speakers: speakers, began_at: toString(began), ended_at: toString(ended),
    filed_at: toString(c.filed_at)
  } AS conversation, at_ms
ORDER BY at_ms DESC, c.id
