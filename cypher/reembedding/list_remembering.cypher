// list_remembering: list what remembers the questions that it answered.
// params:  palace (string)
// returns: drawers (list of string), documents (list of string)
// runs:    implicit transaction, reads
RETURN
  COLLECT {
    MATCH (f:Feedback)-[:USEFUL]->(d:Drawer)
    WHERE f.palace = $palace AND f.learned >= 0
    RETURN DISTINCT d.id AS id ORDER BY id
  } AS drawers,
  COLLECT {
    MATCH (c:CallerDocument)
    WHERE c.palace = $palace AND c.namespace IS NOT NULL
    RETURN c.id AS id ORDER BY id
  } AS documents
