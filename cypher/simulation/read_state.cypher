// read_state: read the complete state of a simulation, in parts.
// params:  name (string)
// returns: data (bytes)
// runs:    implicit transaction, reads
MATCH (p:SimulationState {simulation: $name})
RETURN p.data AS data
ORDER BY p.part
