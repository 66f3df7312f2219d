// delete_pair: delete both nodes and those between them.
// params:
// returns: deleted (int)
// runs:    implicit transaction
MATCH (n:Half|Between)
CALL (n) {
  DETACH DELETE n
} IN TRANSACTIONS OF 10000 ROWS
RETURN count(*) AS deleted
