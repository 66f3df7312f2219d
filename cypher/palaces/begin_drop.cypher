// begin_drop: hide a palace from all readers; its contents are deleted afterwards.
// params:  palace (string), dropped (string: its new name)
// returns: name (string); no row if there is no such palace
// runs:    implicit transaction
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // a palace has none: this only takes its lock
WITH p
WHERE p.dropped_at IS NULL // somebody else may have dropped it while this waited
SET p.name = $dropped, p.id = $dropped, p.palace = $dropped, p.dropped_at = datetime.realtime()
RETURN p.name AS name
