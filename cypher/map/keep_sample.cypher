// keep_sample: store the total of each pheromone at a cycle, replacing a sample of the same cycle, and delete the oldest samples beyond a number.
// params:  palace (string), cycle (int), sums (map of float by pheromone), most (int: samples kept)
// returns: forgotten (int)
// runs:    implicit transaction, safe to repeat
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p
WHERE p.dropped_at IS NULL
MERGE (s:PheromoneSample {palace: $palace, cycle: $cycle})
SET
  s.at = datetime(),
  s.exploitation = $sums.exploitation, s.exploration = $sums.exploration,
  s.success = $sums.success, s.traversal = $sums.traversal, s.recency = $sums.recency
WITH s
OPTIONAL MATCH (old:PheromoneSample) WHERE old.palace = s.palace AND old.cycle <= s.cycle
WITH old ORDER BY old.cycle DESC SKIP $most
DELETE old
RETURN count(old) AS forgotten
