// prune_keys: delete keys that are older than some seconds.
// params:  keep_s (int), most (int)
// returns: pruned (int)
// runs:    implicit transaction, safe to repeat
MATCH (k:WriteKey)
WHERE k.at < datetime() - duration({seconds: $keep_s})
WITH k LIMIT $most
DELETE k
RETURN count(*) AS pruned
