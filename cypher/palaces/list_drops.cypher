// list_drops: palaces that were dropped and are not deleted yet.
// params:
// returns: dropped (string), idle_ms (int): for how long nobody has been at it
// runs:    implicit transaction, reads
MATCH (p:Palace)
WHERE p.dropped_at IS NOT NULL
RETURN p.name AS dropped, datetime.realtime().epochMillis - p.dropped_at.epochMillis AS idle_ms
ORDER BY dropped
