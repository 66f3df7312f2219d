// change_feedback: take drawers out of feedback, and delete other feedback; all replicas then read the lessons again.
// params:  palace (string), changed (list of {id, properties}), deleted (list of string)
// returns: drawers (list of string), documents (list of string): what the deleted feedback judged
// runs:    explicit transaction that has locked the palace
MATCH (p:Palace {name: $palace})
WITH p, coalesce(p.learned, 0) + 1 AS learned, coalesce(p.forgot, 0) + 1 AS forgot
SET p.learned = learned, p.forgot = forgot
WITH p
CALL () {
  UNWIND $changed AS row
  MATCH (f:Feedback {id: row.id})
  SET f += row.properties
  RETURN count(f) AS changed
}
CALL () {
  UNWIND $deleted AS id
  MATCH (f:Feedback {id: id})
  OPTIONAL MATCH (f)-[:USEFUL]->(d:Drawer)
  OPTIONAL MATCH (f)-[:USEFUL|USELESS]->(c:CallerDocument)
  WITH f, collect(DISTINCT d.id) AS drawers, collect(DISTINCT c.id) AS documents
  DETACH DELETE f
  RETURN collect(drawers) AS drawers, collect(documents) AS documents
}
RETURN
  reduce(all = [], one IN drawers | all + one) AS drawers, reduce(all = [], one IN documents | all + one) AS documents
