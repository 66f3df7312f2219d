// get_job: read a job.
// params:  id (string)
// returns: job (map)
// runs:    implicit transaction, reads
MATCH (j:SimulationJob {id: $id})
RETURN j {.*, created_at: toString(j.created_at)} AS job
