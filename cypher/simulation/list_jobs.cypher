// list_jobs: list the jobs of a palace, newest first.
// params:  palace (string)
// returns: job (map)
// runs:    implicit transaction, reads
MATCH (j:SimulationJob {palace: $palace})
RETURN j {.*, created_at: toString(j.created_at)} AS job
ORDER BY j.created_at DESC, j.id
