// create_job: store a new job, and delete all but the newest of the palace's finished jobs.
// params:  palace (string), properties (map), kept (int)
// returns: id (string); no row where there is no such palace
// runs:    implicit transaction
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p
WHERE p.dropped_at IS NULL
CREATE (j:SimulationJob)
SET j = $properties, j.palace = p.name, j.created_at = datetime(), j.heartbeat_at = timestamp()
WITH j
CALL (j) {
  MATCH (old:SimulationJob {palace: $palace})
  WHERE old.status IN ['done', 'failed', 'cancelled']
  WITH old ORDER BY old.created_at DESC, old.id SKIP $kept
  DETACH DELETE old
}
RETURN j.id AS id
