// update_job: change a job that is not finished; if it is then finished, delete the states of its shards.
// params:  id (string), owner (string, or null for whoever owns it), properties (map)
// returns: status (string); no row where there is no such job, it is over, or another service owns it
// runs:    implicit transaction; the first SET locks the job before anything of it is read
MATCH (j:SimulationJob {id: $id})
SET j.asked_at = timestamp()
WITH j
WHERE j.status IN ['queued', 'running'] AND ($owner IS NULL OR j.owner = $owner)
SET j += $properties
WITH j
CALL (j) {
  WITH j WHERE NOT j.status IN ['queued', 'running']
  MATCH (s:SimulationState)
  WHERE s.simulation STARTS WITH $id + '/'
  DETACH DELETE s
}
RETURN j.status AS status
