// decay_prune_deposits: forget which deposits were made, of those older than some days; what they left is not touched.
// params:  palace (string), keep_days (int), batch_rows (int)
// returns: pruned (int)
// runs:    auto-commit (CALL IN TRANSACTIONS), safe to repeat
MATCH (d:Deposit)
WHERE d.palace = $palace AND d.created_at < datetime() - duration({days: $keep_days})
CALL (d) {
  DETACH DELETE d
} IN TRANSACTIONS OF $batch_rows ROWS
RETURN count(*) AS pruned
