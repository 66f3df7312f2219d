// hold_gate: lock the gate of a backup until the transaction ends.
// params:  id (string)
// returns: id (string); no row if somebody took it for one that was left
// runs:    explicit transaction
MATCH (g:BackupGate {id: $id})
REMOVE g.warm_in // locks it
RETURN g.id AS id
