// prune_changes: delete entries of the change feed that are older than some seconds.
// params:  keep_s (int)
// returns: pruned (int)
// runs:    implicit transaction, safe to repeat
MATCH (c:Change)
WHERE c.created_at < datetime() - duration({seconds: $keep_s})
DETACH DELETE c
RETURN count(*) AS pruned
