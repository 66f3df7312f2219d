// read_state: read the state of a palace's learning, and its clock.
// params:  palace (string), cycle_seconds (float)
// returns: born (string), learned (int), forgot (int), cycle (int)
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $palace})
RETURN
  toString(p.created_at) AS born, coalesce(p.learned, 0) AS learned, coalesce(p.forgot, 0) AS forgot,
  p.cycle + toInteger((datetime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * $cycle_seconds)) AS cycle
