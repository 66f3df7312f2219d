// get_simulation: what is kept of a simulation.
// params:  name (string)
// returns: simulation (map), updated_at (string)
// runs:    implicit transaction, reads
MATCH (s:Simulation {name: $name})
RETURN properties(s) AS simulation, toString(s.updated_at) AS updated_at
