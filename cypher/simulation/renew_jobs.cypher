// renew_jobs: renew a service's hold on its jobs, or give them up.
// params:  owner (string), ids (list of string), given_up (boolean)
// returns: jobs (int)
// runs:    implicit transaction, safe to repeat
MATCH (j:SimulationJob)
WHERE j.id IN $ids AND j.owner = $owner
SET j.heartbeat_at = CASE WHEN $given_up THEN 0 ELSE timestamp() END
RETURN count(*) AS jobs
