// find_states: those parts of simulations' states that exist.
// params:  keys (list of string: names of simulations and their pictures)
// returns: key (list: name and part), properties (map)
// runs:    explicit transaction
UNWIND $keys AS key
MATCH (n:SimulationState {simulation: key})
RETURN [key, n.part] AS key, properties(n) AS properties
