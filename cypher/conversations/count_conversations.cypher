// count_conversations: how many conversations there are of each wing, project and host, and from when to when.
// params:  palace (string)
// returns: group (map)
// runs:    implicit transaction, reads
MATCH (c:Closet {palace: $palace})
WHERE c.filed_at IS NOT NULL
CALL (c) {
  OPTIONAL MATCH (c)-[:HAS_DRAWER]->(d:Drawer)
  RETURN min(d.occurred_at) AS began, max(d.occurred_at) AS ended
}
WITH c.wing_id AS wing_id, c.project AS project, c.host AS host, count(c) AS conversations, min(began) AS began, max(ended) AS ended
MATCH (w:Wing {id: wing_id})
RETURN {wing: w.name, project: project, host: host, conversations: conversations, began_at: toString(began), ended_at: toString(ended)} AS group
ORDER BY w.name, project, host
