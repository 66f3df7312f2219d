// set_document_memories: store the memories of callers' documents; delete documents without feedback.
// params:  memories (list of {document, vector, strength, cycle})
// returns: removed (int)
// runs:    explicit transaction, safe to repeat
UNWIND $memories AS row
MATCH (c:CallerDocument {id: row.document})
SET
  c.narrative_vector = CASE WHEN row.strength > 0 THEN row.vector END,
  c.narrative_strength = CASE WHEN row.strength > 0 THEN row.strength END,
  c.narrative_cycle = CASE WHEN row.strength > 0 THEN row.cycle END
WITH c WHERE NOT EXISTS { MATCH (:Feedback)-[:USEFUL|USELESS]->(c) }
DETACH DELETE c
RETURN count(*) AS removed
