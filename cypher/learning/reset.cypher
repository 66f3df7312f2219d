// reset: delete all feedback of a palace or of one wing, with its effects on drawers and lanes.
// params:  palace (string), wing (string or null)
// returns: forgotten (int), still_useful (list of string): drawers that other feedback still calls useful, documents (list of string): of callers' own that were judged
// runs:    explicit transaction, safe to repeat
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p, coalesce(p.learned, 0) + 1 AS learned, coalesce(p.forgot, 0) + 1 AS forgot
SET p.learned = learned, p.forgot = forgot
WITH p
CALL () {
  MATCH (:Palace {name: $palace})-[:CONTAINS]->(w:Wing)-[e:ANSWERED_BY]->(:Lane)
  WHERE $wing IS NULL OR w.id = $wing
  DELETE e
}
CALL () {
  MATCH (f:Feedback)
  WHERE f.palace = $palace AND f.learned IS NOT NULL AND ($wing IS NULL OR $wing IN f.wings)
  OPTIONAL MATCH (f)-[:USEFUL]->(d:Drawer)
  OPTIONAL MATCH (f)-[:USEFUL|USELESS]->(c:CallerDocument)
  WITH collect(DISTINCT f) AS given, collect(DISTINCT d) AS drawers, collect(DISTINCT c.id) AS documents
  FOREACH (d IN drawers | REMOVE d.narrative_vector, d.narrative_strength, d.narrative_cycle)
  FOREACH (f IN given | DETACH DELETE f)
  RETURN size(given) AS forgotten, drawers, documents
}
RETURN forgotten, documents, COLLECT { UNWIND drawers AS d MATCH (:Feedback)-[:USEFUL]->(d) RETURN DISTINCT d.id } AS still_useful
