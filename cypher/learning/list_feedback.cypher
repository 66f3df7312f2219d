// list_feedback: list the feedback of a palace or of one wing, newest first.
// params:  palace (string), wing (string or null), most (int)
// returns: feedback (map)
// runs:    implicit transaction, reads
MATCH (f:Feedback)
WHERE f.palace = $palace AND f.learned IS NOT NULL AND ($wing IS NULL OR $wing IN f.wings)
WITH f ORDER BY f.learned DESC LIMIT $most
RETURN f {
  .id, .query, .source, .cycle, search: f.asking, given_at: toString(f.given_at),
  wings: COLLECT { MATCH (w:Wing) WHERE w.id IN f.wings RETURN w.name ORDER BY w.name },
  useful: COLLECT { MATCH (f)-[r:USEFUL]->(d:Drawer) RETURN {drawer: d.id, reward: r.reward} ORDER BY d.id },
  useless: COLLECT { MATCH (f)-[r:USELESS]->(d:Drawer) RETURN {drawer: d.id, reward: r.reward} ORDER BY d.id },
  documents: COLLECT {
    MATCH (f)-[r:USEFUL|USELESS]->(c:CallerDocument)
    RETURN {namespace: c.namespace, id: c.name, useful: type(r) = 'USEFUL', reward: r.reward} ORDER BY c.namespace, c.name
  }
} AS feedback
