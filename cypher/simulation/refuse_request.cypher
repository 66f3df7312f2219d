// refuse_request: say why a service does not do what it was asked to do with a simulation.
// params:  name (string), owner (string), refusal (string)
// returns: name (string)
// runs:    implicit transaction, safe to repeat
MATCH (s:Simulation {name: $name})
WHERE s.owner = $owner
SET s.refusal = $refusal
RETURN s.name AS name
