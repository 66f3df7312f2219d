MATCH (s:Simulation {name: $name}) SET s.lease_until = timestamp() - 1 RETURN s.name AS name
