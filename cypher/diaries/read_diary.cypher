// read_diary: read the latest entries of an agent's diary. An entry without a text, whose drawer an earlier version deleted, is left out.
// params:  agent_id (string), last (int)
// returns: entries (list of {id, text, topic, written_at, drawer}): the latest first; no row if there is no such agent
// runs:    implicit transaction, reads
MATCH (a:Agent {id: $agent_id})
RETURN COLLECT {
  MATCH (a)-[:WROTE]->(e:DiaryEntry)
  OPTIONAL MATCH (e)-[:KEPT_IN]->(d:Drawer)
  WITH e, d
  WHERE e.text IS NOT NULL OR d.text IS NOT NULL
  WITH e, d
  ORDER BY e.written_at DESC, e.id
  LIMIT $last
  RETURN {
    id: e.id, text: coalesce(d.text, e.text), topic: e.topic, written_at: toString(e.written_at), drawer: d.id
  }
} AS entries
