// lanes_of_wings: which lanes answered each wing, as far as that has not faded.
// params:  palace (string), wing (string or null), cycle (int), rate (float)
// returns: wing (string), lane (string), success (float)
// runs:    implicit transaction, reads
MATCH (:Palace {name: $palace})-[:CONTAINS]->(w:Wing)-[e:ANSWERED_BY]->(l:Lane)
WHERE $wing IS NULL OR w.id = $wing
RETURN w.name AS wing, l.name AS lane, e.success_pheromone * (1 - $rate) ^ ($cycle - e.pheromone_cycle) AS success
ORDER BY wing, lane
