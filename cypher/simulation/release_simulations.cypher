// release_simulations: release simulations, so that others can take them, or give them up, so that nothing that their service has sent before changes them.
// params:  owner (string), names (list of string), written_at (int, on the clock of the owner; what is newer stays as it is), given_up (boolean)
// returns: simulations (int)
// runs:    implicit transaction, safe to repeat; the first SET locks the simulations before anything of them is read
MATCH (s:Simulation)
WHERE s.name IN $names
SET s.asked_at = timestamp()
WITH s
WHERE s.owner = $owner AND s.written_at <= $written_at
SET s += CASE WHEN $given_up THEN {owner: '', lease_until: 0} ELSE {lease_until: 0} END
RETURN count(*) AS simulations
