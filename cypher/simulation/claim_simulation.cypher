// claim_simulation: store a simulation for a service that becomes its owner.
// params:  palace (string), name (string), owner (string), owner_name (string), lease_ms (int, 0 to hold it no longer), properties (map), written_at (int, on the clock of the owner), parts (list of bytes, the complete state, or null to leave it)
// returns: claimed (boolean), owner_name (string) who holds it; no row where there is no such palace
// runs:    implicit transaction, safe to repeat; the first SET locks the simulation before anything of it is read
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p
WHERE p.dropped_at IS NULL
MERGE (s:Simulation {name: $name})
SET s.asked_at = timestamp()
WITH s, coalesce(s.owner <> $owner AND s.lease_until > timestamp(), false) AS held, s.owner_name AS holder
CALL (s, held) {
  WITH s WHERE NOT held
  SET s += $properties, s.palace = $palace, s.updated_at = datetime(), s.request = null, s.refusal = null,
      s.owner = $owner, s.owner_name = $owner_name, s.written_at = $written_at, s.claimed_at = $written_at,
      s.lease_until = CASE WHEN $lease_ms > 0 THEN timestamp() + $lease_ms ELSE 0 END
}
CALL (s, held) {
  WITH s WHERE NOT held AND $parts IS NOT NULL
  MATCH (old:SimulationState)
  WHERE old.simulation IN [s.name, s.name + '/view']
  DETACH DELETE old
}
CALL (s, held) {
  WITH s WHERE NOT held AND $parts IS NOT NULL
  MATCH (s)-[f:FOUND]->(:Drawer)
  DELETE f
}
CALL (s, held) {
  WITH s WHERE NOT held
  UNWIND range(0, size(coalesce($parts, [])) - 1) AS part
  CREATE (:SimulationState {simulation: s.name, palace: $palace, part: part, data: $parts[part]})
}
RETURN NOT held AS claimed, CASE WHEN held THEN holder ELSE $owner_name END AS owner_name
