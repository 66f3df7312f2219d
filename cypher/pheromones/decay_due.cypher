// decay_due: list the palaces whose decay is due, or whose clock is ahead of the server's time, and whose lease nobody holds.
// params:  cycle_seconds (float), interval_cycles (int)
// returns: name (string)
// runs:    implicit transaction, reads
MATCH (p:Palace)
WHERE p.dropped_at IS NULL
WITH p, toInteger(floor((datetime.realtime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * $cycle_seconds))) AS passed
WHERE (passed < 0 OR p.cycle + passed - coalesce(p.decay_cycle, 0) >= $interval_cycles)
  AND (p.decay_lease_by IS NULL OR p.decay_lease_until < datetime.realtime()
    OR p.decay_lease_until > datetime.realtime() + duration({hours: 1})) // the time went back since
RETURN p.name AS name
ORDER BY name
