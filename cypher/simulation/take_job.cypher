// take_job: make a service the owner of a job that no service works on; if several try, one succeeds.
// params:  id (string), owner (string), stale_ms (int)
// returns: job (map); no row where there is nothing to take
// runs:    implicit transaction; the first SET locks the job before anything of it is read
MATCH (j:SimulationJob {id: $id})
SET j.asked_at = timestamp()
WITH j
WHERE j.status IN ['queued', 'running'] AND timestamp() - j.heartbeat_at >= $stale_ms
SET j.owner = $owner, j.heartbeat_at = timestamp()
RETURN j {.*, created_at: toString(j.created_at)} AS job
