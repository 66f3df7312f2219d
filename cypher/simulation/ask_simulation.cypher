// ask_simulation: request the service that holds a simulation to pause, resume or stop it; it does so at its next heartbeat.
// params:  name (string), owner (string, the service that asks), request (string)
// returns: owner_name (string); no row where no other service holds it
// runs:    implicit transaction, safe to repeat; the first SET locks the simulation before anything of it is read
MATCH (s:Simulation {name: $name})
SET s.asked_at = timestamp()
WITH s
WHERE s.owner <> $owner AND s.lease_until > timestamp()
SET s.request = $request, s.refusal = null
RETURN s.owner_name AS owner_name
