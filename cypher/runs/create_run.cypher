// create_run: store a run and link it to its sources, which are kept at least as long; no row if the id is taken.
// params:  palace (string), id (string), properties (map), ids (list of string), scores (list of float), parent (string or null), sources (list of string)
// returns: id (string)
// runs:    implicit transaction
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p
WHERE p.dropped_at IS NULL AND NOT EXISTS { MATCH (:Run {id: $id}) }
CREATE (r:Run {id: $id, palace: p.name})
SET r += $properties, r.ids = $ids, r.scores = $scores
WITH r
CALL (r) {
  UNWIND $sources AS source
  MATCH (s:Run {id: source})
  WHERE s.palace = $palace
  SET s.expires_at = CASE WHEN s.expires_at < r.expires_at THEN r.expires_at ELSE s.expires_at END
  CREATE (r)-[:DERIVED_FROM]->(s)
}
CALL (r) {
  MATCH (s:Run {id: $parent})
  WHERE s.palace = $palace
  CREATE (r)-[:DERIVED_FROM]->(s)
}
RETURN r.id AS id
