// decay_record: record the result of a decay run in the palace.
// params:  palace (string), cycle (int), nodes (int), edges (int), deposits_pruned (int), seconds (float)
// returns: finished_at (string)
// runs:    implicit transaction, safe to repeat
MATCH (p:Palace {name: $palace})
SET
  p.decay_cycle = $cycle, p.decay_finished_at = datetime(),
  p.decay_nodes = $nodes, p.decay_edges = $edges, p.decay_pruned = $deposits_pruned,
  p.decay_seconds = $seconds
RETURN toString(p.decay_finished_at) AS finished_at
