// end_restore: note that the database has all of the backup.
// params:
// returns: ended (int)
// runs:    explicit transaction, safe to repeat
MATCH (r:Restore)
DELETE r
RETURN count(*) AS ended
