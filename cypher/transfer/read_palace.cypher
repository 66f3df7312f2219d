// read_palace: read all properties of a palace, and the cycle of its clock.
// params:  palace (string), cycle_seconds (float)
// returns: properties (map), cycle (int), now (string); no row if there is no such palace
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $palace})
WHERE p.dropped_at IS NULL
RETURN
  properties(p) AS properties,
  p.cycle + toInteger((datetime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * $cycle_seconds)) AS cycle,
  toString(datetime()) AS now
