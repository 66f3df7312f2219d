// release_simulations: release simulations that a service held, so that others can take them.
// params:  owner (string), names (list of string), written_at (int, on the clock of the owner; what is newer stays as it is)
// returns: simulations (int)
// runs:    implicit transaction, safe to repeat
MATCH (s:Simulation)
WHERE s.name IN $names AND s.owner = $owner AND s.written_at <= $written_at
SET s.lease_until = 0
RETURN count(*) AS simulations
