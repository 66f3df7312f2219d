// lease_release: give the lease back; if another has taken it meanwhile, it stays theirs.
// params:  palace (string), by (string)
// returns:
// runs:    implicit transaction, safe to repeat
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // a palace has none: this only takes its lock
WITH p
WHERE p.decay_lease_by = $by
REMOVE p.decay_lease_by, p.decay_lease_until
