// list_gates: the gates of backups.
// params:
// returns: id (string)
// runs:    implicit transaction, reads
MATCH (g:BackupGate)
RETURN g.id AS id
