// decay_prune_deposits: delete the records of deposits that are older than some days and older than the oldest feedback, whose undo needs all later records; pheromones do not change.
// params:  palace (string), keep_days (int), batch_rows (int)
// returns: pruned (int)
// runs:    auto-commit (CALL IN TRANSACTIONS), safe to repeat
CALL () {
  MATCH (f:Feedback)
  WHERE f.palace = $palace AND f.cycle >= 0
  RETURN min(f.cycle) AS oldest
}
MATCH (d:Deposit)
WHERE d.palace = $palace AND d.created_at < datetime() - duration({days: $keep_days})
  AND (d.edges IS NULL OR oldest IS NULL OR d.cycle < oldest)
CALL (d) {
  DETACH DELETE d
} IN TRANSACTIONS OF $batch_rows ROWS
RETURN count(*) AS pruned
