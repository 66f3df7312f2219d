// list_nodes: every node of the database with all that it has, but for what backups and restores note for themselves.
// params:
// returns: id (string), labels (list of string), properties (map)
// runs:    implicit transaction, reads; it scans the whole database, to keep it
MATCH (n)
WHERE NOT n:BackupGate AND NOT n:Restore
RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties
