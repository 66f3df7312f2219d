// begin_drop: a palace goes out of everybody's sight; what is in it is deleted after that.
// params:  palace (string), dropped (string: what it is called from now on)
// returns: name (string); no row if there is no such palace
// runs:    implicit transaction
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // a palace has none: this only takes its lock
WITH p
WHERE p.dropped_at IS NULL // somebody else may have dropped it while this waited
SET p.name = $dropped, p.id = $dropped, p.palace = $dropped, p.dropped_at = datetime.realtime()
RETURN p.name AS name
