// lanes_of_wings: read which lanes answered each wing, with the success that has not faded.
// params:  palace (string), wing (string or null), cycle (int), rate (float), floor (float)
// returns: wing (string), lane (string), success (float, at least the floor)
// runs:    implicit transaction, reads
MATCH (:Palace {name: $palace})-[:CONTAINS]->(w:Wing)-[e:ANSWERED_BY]->(l:Lane)
WHERE $wing IS NULL OR w.id = $wing
WITH
  w, l, coalesce(e.success_pheromone, 0.0)
    * (1 - $rate) ^ CASE WHEN $cycle > e.pheromone_cycle THEN $cycle - e.pheromone_cycle ELSE 0 END AS success
WHERE success >= $floor
RETURN w.name AS wing, l.name AS lane, success
ORDER BY wing, lane
