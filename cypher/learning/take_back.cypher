// take_back: delete a feedback; return the drawers that it called useful, the callers' documents that it judged, and its deposit.
// params:  palace (string), id (string)
// returns: drawers (list of string), documents (list of string), deposit (string)
// runs:    explicit transaction
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p, coalesce(p.learned, 0) + 1 AS next, coalesce(p.forgot, 0) + 1 AS forgot
MATCH (f:Feedback {id: $id})
WHERE f.palace = $palace
SET p.learned = next, p.forgot = forgot
WITH
  f, coalesce(f.deposit, f.id) AS deposit, COLLECT { MATCH (f)-[:USEFUL]->(d:Drawer) RETURN d.id } AS drawers,
  COLLECT { MATCH (f)-[:USEFUL|USELESS]->(c:CallerDocument) RETURN c.id } AS documents
DETACH DELETE f
RETURN drawers, documents, deposit
