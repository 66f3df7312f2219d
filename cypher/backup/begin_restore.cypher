// begin_restore: note that the database is being filled from a backup, so that nobody uses a part of it.
// params:  file (string)
// returns: file (string)
// runs:    explicit transaction, safe to repeat
MERGE (r:Restore {id: 'restore'})
SET r.file = $file
RETURN r.file AS file
