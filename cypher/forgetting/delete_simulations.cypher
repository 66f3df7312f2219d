// delete_simulations: delete simulations and background jobs with their states and pictures.
// params:  simulations (list of string: names), jobs (list of string: ids)
// returns: deleted (int)
// runs:    explicit transaction that has locked the palace
CALL () {
  UNWIND $simulations AS name
  MATCH (s:Simulation {name: name})
  DETACH DELETE s
  RETURN count(*) AS simulations
}
CALL () {
  UNWIND $simulations AS name
  UNWIND [name, name + '/view'] AS kept
  MATCH (s:SimulationState {simulation: kept})
  DETACH DELETE s
  RETURN count(*) AS states
}
CALL () {
  UNWIND $jobs AS id
  MATCH (j:SimulationJob {id: id})
  DETACH DELETE j
  RETURN count(*) AS jobs
}
CALL () {
  UNWIND $jobs AS id
  MATCH (s:SimulationState)
  WHERE s.simulation STARTS WITH id + '/'
  DETACH DELETE s
  RETURN count(*) AS shards
}
RETURN simulations + jobs AS deleted
