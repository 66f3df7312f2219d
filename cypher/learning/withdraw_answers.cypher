// withdraw_answers: take back what is left of what a feedback said of lanes.
// params:  palace (string), answered (list of {wing, id, amount}), laid_at (int), rate (float), floor (float), cycle_seconds (float)
// returns: changed (int)
// runs:    explicit transaction
MATCH (p:Palace {name: $palace})
WITH
  p.cycle + toInteger((datetime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * $cycle_seconds)) AS cycle
UNWIND $answered AS row
MATCH (:Wing {id: row.wing})-[e:ANSWERED_BY]->(:Lane {id: row.id})
WITH
  e, cycle,
  e.success_pheromone * (1 - $rate) ^ (cycle - e.pheromone_cycle) - row.amount * (1 - $rate) ^ (cycle - $laid_at)
    AS success
SET e.success_pheromone = CASE WHEN success < $floor THEN 0.0 ELSE success END, e.pheromone_cycle = cycle
RETURN count(*) AS changed
