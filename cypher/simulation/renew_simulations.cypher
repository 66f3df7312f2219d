// renew_simulations: heartbeat of a service: store the progress of its simulations, renew their leases, and read requests of other services.
// params:  owner (string), lease_ms (int), written_at (int, on the clock of the owner; what is newer stays as it is), beats (list of {name, properties})
// returns: name (string), request (string, or null), watched (boolean); no row for what it does not own any more
// runs:    implicit transaction, safe to repeat; the first SET locks each simulation before anything of it is read
UNWIND $beats AS beat
MATCH (s:Simulation {name: beat.name})
SET s.asked_at = timestamp()
WITH s, beat
WHERE s.owner = $owner
CALL (s, beat) {
  WITH s, beat WHERE s.written_at <= $written_at
  SET s += beat.properties, s.written_at = $written_at, s.lease_until = timestamp() + $lease_ms
}
WITH s, s.request AS request
SET s.request = null
RETURN s.name AS name, request, coalesce(timestamp() - s.watched_at < $lease_ms, false) AS watched
