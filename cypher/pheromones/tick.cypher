// tick: advance a palace's clock to the server's current time, and read it. If that was set back, the cycle begins anew.
// params:  palace (string), cycle_seconds (float)
// returns: cycle (int)
// runs:    implicit transaction, safe to repeat: the part of a cycle that has not passed is kept
// browser: :param {palace: 'main', cycle_seconds: 3600.0}
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p, toInteger(floor((datetime.realtime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * $cycle_seconds))) AS passed
WITH
  p, p.cycle + CASE WHEN passed > 0 THEN passed ELSE 0 END AS cycle,
  CASE
    WHEN passed < 0 THEN datetime.realtime()
    ELSE p.cycle_started_at + duration({seconds: passed * $cycle_seconds})
  END AS started_at
SET p.cycle = cycle, p.cycle_started_at = started_at
RETURN cycle
