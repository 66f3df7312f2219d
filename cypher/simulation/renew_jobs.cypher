// renew_jobs: renew a service's hold on its jobs, or give them up, so that nothing that it has sent before changes them.
// params:  owner (string), ids (list of string), given_up (boolean)
// returns: jobs (int)
// runs:    implicit transaction, safe to repeat; the first SET locks the jobs before anything of them is read
MATCH (j:SimulationJob)
WHERE j.id IN $ids
SET j.asked_at = timestamp()
WITH j
WHERE j.owner = $owner
SET j += CASE WHEN $given_up THEN {owner: '', heartbeat_at: 0} ELSE {heartbeat_at: timestamp()} END
RETURN count(*) AS jobs
