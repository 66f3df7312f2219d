// keep_simulation: keep what a simulation is now, and its complete state if it is given; what was kept is replaced.
// params:  palace (string), name (string), properties (map), parts (list of bytes, or null to leave the state as it is)
// returns: name (string); no row if there is no such palace
// runs:    implicit transaction, safe to repeat
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // a palace has none: this only takes its lock
WITH p
WHERE p.dropped_at IS NULL
MERGE (s:Simulation {name: $name})
SET s = $properties, s.name = $name, s.palace = $palace, s.updated_at = datetime()
WITH s
CALL (s) {
  WITH s WHERE $parts IS NOT NULL
  MATCH (old:SimulationState {simulation: s.name})
  DETACH DELETE old
}
WITH s
CALL (s) {
  UNWIND range(0, size(coalesce($parts, [])) - 1) AS part
  CREATE (:SimulationState {simulation: s.name, palace: $palace, part: part, data: $parts[part]})
}
RETURN s.name AS name
