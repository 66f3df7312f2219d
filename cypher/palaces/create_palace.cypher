// create_palace: create a palace, or read the existing one of this name.
// params:  id (string), name (string), model (string), dimension (int), analyzer (string), schema_version (string), words_form (int), dropped (string: name of a dropped palace)
// returns: model (string), dimension (int), analyzer (string), created (bool), dropping (bool): whether one of that name is still being deleted, so that this must be rolled back
// runs:    explicit transaction, safe to repeat
MERGE (p:Palace {name: $name})
ON CREATE SET
  p.id = $id, p.palace = $name, p.created_at = datetime(), p.schema_version = $schema_version,
  p.cycle = 0, p.cycle_started_at = datetime(), p.revision = 0, p.settled_revision = 0, p.divided_revision = 0,
  p.embedding_model = $model, p.embedding_dimension = $dimension, p.analyzer = $analyzer, p.words_form = $words_form, p.fresh = true
WITH p, coalesce(p.fresh, false) AS created
REMOVE p.fresh
RETURN
  p.embedding_model AS model, p.embedding_dimension AS dimension, p.analyzer AS analyzer, created,
  EXISTS { MATCH (:Palace {name: $dropped}) } AS dropping
