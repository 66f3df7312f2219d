// delete_expired: delete some of the expired runs.
// params:  palace (string), now (datetime), most (int)
// returns: deleted (int)
// runs:    implicit transaction, safe to repeat
MATCH (r:Run)
WHERE r.palace = $palace AND r.expires_at <= $now
WITH r LIMIT $most
DETACH DELETE r
RETURN count(*) AS deleted
