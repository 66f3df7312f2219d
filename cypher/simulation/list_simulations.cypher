// list_simulations: list all stored simulations, by name.
// params:
// returns: simulation (map), held (boolean) whether the lease of its owner runs
// runs:    implicit transaction, reads
MATCH (s:Simulation)
WHERE s.name > ''
RETURN properties(s) AS simulation, coalesce(s.lease_until > timestamp(), false) AS held
ORDER BY s.name
