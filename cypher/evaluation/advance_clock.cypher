// advance_clock: let cycles pass in a palace at once; an evaluation does so in its own palace, to measure what fades.
// params:  palace (string), cycles (int)
// returns: cycle (int)
// runs:    implicit transaction, not safe to repeat
MATCH (p:Palace {name: $palace})
WITH p, p.cycle + $cycles AS cycle
SET p.cycle = cycle
RETURN p.cycle AS cycle
