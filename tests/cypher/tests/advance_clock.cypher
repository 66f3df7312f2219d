MATCH (p:Palace {name: $palace})
SET p.cycle = p.cycle + $cycles
