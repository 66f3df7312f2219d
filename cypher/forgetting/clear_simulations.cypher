// clear_simulations: take drawers out of what simulations show, and end those that run. Services that have them in memory lose them, and can read them again.
// params:  simulations (list of {name, results: JSON})
// returns: cleared (int)
// runs:    explicit transaction that has locked the palace
UNWIND $simulations AS row
MATCH (s:Simulation {name: row.name})
SET
  s.results = row.results, s.report = 'null', s.loading = 'null', s.owner = null, s.lease_until = 0,
  s.stopped_by = CASE WHEN s.state IN ['loading', 'running'] THEN 'request' ELSE s.stopped_by END,
  s.state = CASE WHEN s.state IN ['loading', 'running'] THEN 'stopped' ELSE s.state END
WITH s
CALL (s) {
  MATCH (view:SimulationState {simulation: s.name + '/view'})
  DETACH DELETE view
}
RETURN count(*) AS cleared
