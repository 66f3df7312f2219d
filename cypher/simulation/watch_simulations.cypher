// watch_simulations: read simulations, and tell the services that hold them that clients of another service watch.
// params:  owner (string, the service that asks), names (list of string)
// returns: simulation (map), held (boolean)
// runs:    implicit transaction, safe to repeat
MATCH (s:Simulation)
WHERE s.name IN $names
CALL (s) {
  WITH s WHERE s.owner <> $owner AND s.lease_until > timestamp()
  SET s.watched_at = timestamp()
}
RETURN properties(s) AS simulation, coalesce(s.lease_until > timestamp(), false) AS held
