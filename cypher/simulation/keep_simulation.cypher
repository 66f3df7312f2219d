// keep_simulation: store the current state of a simulation for its owner; given parts replace older ones.
// params:  name (string), owner (string), lease_ms (int, 0 to hold it no longer, null to leave the lease), written_at (int, when the properties were read, on the clock of the owner), newest (boolean, whether a write that is newer forbids this one), properties (map), parts (list of bytes, the complete state, or null to leave it), views (list of bytes, what who watches sees, or null to leave it)
// returns: name (string); no row where it or its palace is gone, another service owns it, it was claimed anew since written_at, or something newer was written
// runs:    implicit transaction, safe to repeat; the first SET locks the simulation before anything of it is read
MATCH (s:Simulation {name: $name})
MATCH (p:Palace {name: s.palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH s, p
WHERE p.dropped_at IS NULL
SET s.asked_at = timestamp()
WITH s
WHERE s.owner = $owner AND coalesce(s.claimed_at, 0) <= $written_at AND NOT ($newest AND s.written_at > $written_at)
SET s += $properties, s.updated_at = datetime(),
    s.written_at = CASE WHEN s.written_at > $written_at THEN s.written_at ELSE $written_at END,
    s.lease_until = CASE
      WHEN $lease_ms IS NULL THEN s.lease_until
      WHEN $lease_ms > 0 THEN timestamp() + $lease_ms
      ELSE 0
    END,
    s.viewed_at = CASE WHEN $views IS NULL THEN s.viewed_at ELSE timestamp() END
WITH s
CALL (s) {
  UNWIND [[s.name, $parts], [s.name + '/view', $views]] AS given
  WITH given WHERE given[1] IS NOT NULL
  MATCH (old:SimulationState {simulation: given[0]})
  DETACH DELETE old
}
CALL (s) {
  UNWIND range(0, size(coalesce($parts, [])) - 1) AS part
  CREATE (:SimulationState {simulation: s.name, palace: s.palace, part: part, data: $parts[part]})
}
CALL (s) {
  UNWIND range(0, size(coalesce($views, [])) - 1) AS part
  CREATE (:SimulationState {simulation: s.name + '/view', palace: s.palace, part: part, data: $views[part]})
}
RETURN s.name AS name
