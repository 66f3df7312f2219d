// get_palace: read the properties of a palace; no row if it does not exist.
// params:  palace (string)
// returns: name (string), born (string: when it was created), model (string), dimension (int), analyzer (string), revision (int), settled_revision (int), divided_revision (int), cycle (int)
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $palace})
RETURN
  p.name AS name, toString(p.created_at) AS born, p.embedding_model AS model, p.embedding_dimension AS dimension,
  p.analyzer AS analyzer, p.revision AS revision, p.settled_revision AS settled_revision,
  coalesce(p.divided_revision, 0) AS divided_revision, p.cycle AS cycle
