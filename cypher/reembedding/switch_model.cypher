// switch_model: let a palace answer with its new vectors, if it is complete: every drawer has one, and every feedback its question's.
// params:  palace (string), model (string), dimension (int), questions (list of {id, vector})
// returns: switched (bool)
// runs:    explicit transaction that has locked the palace; __PALACE__ stands for the checked name
MATCH (p:Palace {name: $palace})
WITH
  p, coalesce(p.forgot, 0) + 1 AS forgot,
  p.next_model = $model
    AND NOT EXISTS { MATCH (d:Drawer___PALACE__) WHERE d.next_embedding IS NULL }
    AND COUNT { MATCH (f:Feedback) WHERE f.palace = $palace AND f.learned >= 0 } = size($questions) AS complete
CALL (p, forgot, complete) {
  WITH p, forgot, complete
  WHERE complete
  SET
    p.embedding_model = $model, p.embedding_dimension = $dimension, p.embedding_property = 'next_embedding',
    p.settled_revision = -1, p.forgot = forgot
  REMOVE p.next_model, p.next_dimension
  WITH p
  CALL () {
    UNWIND $questions AS row
    MATCH (f:Feedback {id: row.id})
    SET f.question = row.vector
  }
  CALL () { // what was shown before has questions of the old model
    MATCH (s:Search)
    WHERE s.palace = $palace
    DELETE s
  }
  CALL () {
    MATCH (f:Feedback)-[:USEFUL]->(d:Drawer)
    WHERE f.palace = $palace AND f.learned >= 0
    REMOVE d.narrative_vector
  }
  CALL () {
    MATCH (c:CallerDocument)
    WHERE c.palace = $palace AND c.namespace IS NOT NULL
    REMOVE c.narrative_vector
  }
  RETURN count(*) AS changed
}
RETURN changed > 0 AS switched
