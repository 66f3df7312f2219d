// pass_gate: wait until no backup reads the database. Without one, there is no gate, and nothing is locked.
// params:
// returns:
// runs:    explicit transaction, as its first statement
MATCH (g:BackupGate)
REMOVE g.warm_in // locks the gate, which has no such property; of a name that no node has, nothing would be locked
WITH g
WHERE g.closed_at < datetime.realtime() - duration({minutes: 1}) // the backup was killed
DELETE g
