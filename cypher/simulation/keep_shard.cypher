// keep_shard: store the progress of a running job, and the complete state of one of its shards.
// params:  id (string), owner (string), properties (map), state (string), parts (list of bytes)
// returns: id (string); no row where the job does not run any more or another service owns it
// runs:    implicit transaction, safe to repeat; the first SET locks the job before anything of it is read
MATCH (j:SimulationJob {id: $id})
SET j.asked_at = timestamp()
WITH j
WHERE j.status = 'running' AND j.owner = $owner
SET j += $properties, j.heartbeat_at = timestamp()
WITH j
CALL (j) {
  MATCH (old:SimulationState {simulation: $state})
  DETACH DELETE old
}
WITH j
CALL (j) {
  UNWIND range(0, size($parts) - 1) AS part
  CREATE (:SimulationState {simulation: $state, palace: j.palace, part: part, data: $parts[part]})
}
RETURN j.id AS id
