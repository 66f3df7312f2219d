// await_indexes: wait until every index is online.
// params:  timeout_s (int)
// returns:
// runs:    implicit transaction, reads
CALL db.awaitIndexes($timeout_s)
