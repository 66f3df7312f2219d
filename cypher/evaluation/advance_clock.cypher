// advance_clock: advance a palace's clock by some cycles, so that an evaluation can measure fading in its own palace.
// params:  palace (string), cycles (int)
// returns: cycle (int)
// runs:    implicit transaction, not safe to repeat
MATCH (p:Palace {name: $palace})
WITH p, p.cycle + $cycles AS cycle
SET p.cycle = cycle
RETURN p.cycle AS cycle
