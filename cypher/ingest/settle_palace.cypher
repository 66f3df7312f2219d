// settle_palace: note that rooms, halls and tunnels follow from everything up to a revision.
// params:  palace (string), revision (int)
// returns:
// runs:    implicit transaction, safe to repeat
MATCH (p:Palace {name: $palace})
SET p.settled_revision = $revision
