// lease_acquire: take the lease on a palace's decay, if nobody holds it, it has expired, or the clock was set back since.
// params:  palace (string), by (string), lease_ms (int)
// returns: acquired (bool), by (string), until (string): who holds it now; last_cycle (int): of the last run, 0 if there was none
// runs:    implicit transaction, safe to repeat
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p, p.decay_lease_by IS NULL OR p.decay_lease_by = $by OR p.decay_lease_until < datetime.realtime()
  OR p.decay_lease_until > datetime.realtime() + duration({milliseconds: $lease_ms, minutes: 30}) AS free
FOREACH (taken IN CASE WHEN free THEN [p] ELSE [] END |
  SET
    taken.decay_lease_by = $by,
    taken.decay_lease_until = datetime.realtime() + duration({milliseconds: $lease_ms})
)
RETURN
  free AS acquired, p.decay_lease_by AS by, toString(p.decay_lease_until) AS until,
  coalesce(p.decay_cycle, 0) AS last_cycle
