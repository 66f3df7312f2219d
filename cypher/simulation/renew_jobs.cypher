// renew_jobs: say that a service still works on its jobs, or that it gives them up.
// params:  owner (string), ids (list of string), given_up (boolean)
// returns: jobs (int)
// runs:    implicit transaction, safe to repeat
MATCH (j:SimulationJob)
WHERE j.id IN $ids AND j.owner = $owner
SET j.heartbeat_at = CASE WHEN $given_up THEN 0 ELSE timestamp() END
RETURN count(*) AS jobs
