// refuse_request: store why a service refuses a request on a simulation.
// params:  name (string), owner (string), refusal (string)
// returns: name (string)
// runs:    implicit transaction, safe to repeat
MATCH (s:Simulation {name: $name})
WHERE s.owner = $owner
SET s.refusal = $refusal
RETURN s.name AS name
