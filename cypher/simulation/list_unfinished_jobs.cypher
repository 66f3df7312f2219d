// list_unfinished_jobs: list unfinished jobs that no service has renewed for some time, oldest first.
// params:  stale_ms (int)
// returns: id (string)
// runs:    implicit transaction, reads
MATCH (j:SimulationJob)
WHERE j.status IN ['queued', 'running'] AND timestamp() - j.heartbeat_at >= $stale_ms
RETURN j.id AS id
ORDER BY j.created_at, j.id
