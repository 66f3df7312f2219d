// give_to_documents: link a feedback to documents of the caller's own, which are created as nodes with their first feedback.
// params:  palace (string), feedback (string: id), documents (list of {id, namespace, name, useful, reward})
// returns: documents (int)
// runs:    explicit transaction, after give_feedback
MATCH (f:Feedback {id: $feedback})
UNWIND $documents AS row
MERGE (c:CallerDocument {id: row.id})
  ON CREATE SET c.palace = $palace, c.namespace = row.namespace, c.name = row.name, c.created_at = datetime()
FOREACH (helped IN CASE WHEN row.useful THEN [c] ELSE [] END | CREATE (f)-[:USEFUL {reward: row.reward}]->(helped))
FOREACH (other IN CASE WHEN row.useful THEN [] ELSE [c] END | CREATE (f)-[:USELESS {reward: row.reward}]->(other))
RETURN count(*) AS documents
