// get_palace: what is known of one palace; no row if there is none.
// params:  name (string)
// returns: name (string), model (string), dimension (int), analyzer (string), revision (int), settled_revision (int), cycle (int)
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $name})
RETURN
  p.name AS name, p.embedding_model AS model, p.embedding_dimension AS dimension, p.analyzer AS analyzer,
  p.revision AS revision, p.settled_revision AS settled_revision, p.cycle AS cycle
