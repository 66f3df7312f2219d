// leave_gate: a gate of a backup that was killed.
// params:
// returns:
// runs:    implicit transaction
CREATE (:BackupGate {id: 'left', closed_at: datetime() - duration({minutes: 5})})
