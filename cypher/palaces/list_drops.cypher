// list_drops: list palaces that were dropped but are not completely deleted yet.
// params:
// returns: dropped (string), idle_ms (int): time since the last work on its deletion
// runs:    implicit transaction, reads
MATCH (p:Palace)
WHERE p.dropped_at IS NOT NULL
RETURN p.name AS dropped, datetime.realtime().epochMillis - p.dropped_at.epochMillis AS idle_ms
ORDER BY dropped
