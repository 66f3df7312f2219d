// set_next_vectors: store new vectors of drawers beside the ones they have, unless the text has changed meanwhile.
// params:  palace (string), model (string), drawers (list of {id, text, embedding})
// returns: wanted (bool): whether the palace is still changing to this model; if not, nothing is stored
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (p:Palace {name: $palace})
WITH coalesce(p.next_model = $model, false) AS wanted
CALL (wanted) {
  WITH wanted
  WHERE wanted
  UNWIND $drawers AS row
  MATCH (d:Drawer {id: row.id})
  WHERE d.palace = $palace AND d.text = row.text
  SET d.next_embedding = row.embedding
  RETURN count(*) AS stored
}
RETURN wanted
