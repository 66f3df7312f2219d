// list_simulations: all simulations that are kept, by name.
// params:
// returns: simulation (map), updated_at (string)
// runs:    implicit transaction, reads
MATCH (s:Simulation)
WHERE s.name > ''
RETURN properties(s) AS simulation, toString(s.updated_at) AS updated_at
ORDER BY s.name
