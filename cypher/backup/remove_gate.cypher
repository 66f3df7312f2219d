// remove_gate: delete the gate of a backup.
// params:  id (string)
// returns: removed (int)
// runs:    explicit transaction, safe to repeat
MATCH (g:BackupGate {id: $id})
DELETE g
RETURN count(*) AS removed
