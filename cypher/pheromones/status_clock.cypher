// status_clock: read the current cycle of a palace's clock; no row if the palace does not exist.
// params:  palace (string), cycle_seconds (float)
// returns: cycle (int), now (string), next_cycle_at (string)
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $palace})
WITH p, datetime() AS now
WITH p, now, toInteger((now.epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * $cycle_seconds)) AS passed
RETURN
  p.cycle + passed AS cycle, toString(now) AS now,
  toString(p.cycle_started_at + duration({milliseconds: toInteger((passed + 1) * 1000 * $cycle_seconds)})) AS next_cycle_at
