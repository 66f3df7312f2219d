// delete_everything: empty the database, but for the note that a restore has begun.
// params:
// returns: deleted (int)
// runs:    implicit transaction, safe to repeat; it scans the whole database, to empty it
MATCH (n)
WHERE NOT n:Restore
CALL (n) {
  DETACH DELETE n
} IN TRANSACTIONS OF 2000 ROWS
RETURN count(*) AS deleted
