MATCH (p:Palace {name: $palace})
SET p.decay_lease_by = $by, p.decay_lease_until = datetime.realtime() + duration({milliseconds: $lease_ms})
