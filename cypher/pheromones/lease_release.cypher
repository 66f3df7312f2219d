// lease_release: release the lease, unless another service has taken it meanwhile.
// params:  palace (string), by (string)
// returns:
// runs:    implicit transaction, safe to repeat
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p
WHERE p.decay_lease_by = $by
REMOVE p.decay_lease_by, p.decay_lease_until
