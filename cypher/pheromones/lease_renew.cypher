// lease_renew: extend the lease; no row if another service has taken it meanwhile.
// params:  palace (string), by (string), lease_ms (int)
// returns: until (string)
// runs:    implicit transaction, safe to repeat
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p
WHERE p.decay_lease_by = $by
SET p.decay_lease_until = datetime.realtime() + duration({milliseconds: $lease_ms})
RETURN toString(p.decay_lease_until) AS until
