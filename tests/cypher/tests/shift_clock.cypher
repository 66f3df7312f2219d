// shift_clock: let a palace's clock be as if the server's time had been set ahead (seconds above 0) or back.
// params:  palace (string), seconds (float)
// returns:
// runs:    implicit transaction
MATCH (p:Palace {name: $palace})
SET
  p.cycle_started_at = p.cycle_started_at - duration({seconds: $seconds}),
  p.decay_lease_until = p.decay_lease_until - duration({seconds: $seconds})
