// list_samples: list the latest pheromone samples of a palace, oldest first.
// params:  palace (string), limit (int)
// returns: cycle (int), at (string), exploitation, exploration, success, traversal, recency (float)
// runs:    implicit transaction, reads
MATCH (s:PheromoneSample) WHERE s.palace = $palace AND s.cycle IS NOT NULL
WITH s ORDER BY s.cycle DESC LIMIT $limit
RETURN
  s.cycle AS cycle, toString(s.at) AS at, s.exploitation AS exploitation, s.exploration AS exploration,
  s.success AS success, s.traversal AS traversal, s.recency AS recency
ORDER BY cycle
