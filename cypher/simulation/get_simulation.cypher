// get_simulation: read a simulation.
// params:  name (string)
// returns: simulation (map), held (boolean) whether the lease of its owner runs
// runs:    implicit transaction, reads
MATCH (s:Simulation {name: $name})
RETURN properties(s) AS simulation, coalesce(s.lease_until > timestamp(), false) AS held
