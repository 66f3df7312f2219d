// make_gate: make the gate at which all writers wait while a backup holds it.
// params:  id (string)
// returns: id (string)
// runs:    explicit transaction
CREATE (g:BackupGate {id: $id, closed_at: datetime.realtime()})
RETURN g.id AS id
