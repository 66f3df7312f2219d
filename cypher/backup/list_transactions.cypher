// list_transactions: the transactions that are open and may commit. One that waits for a lock has not begun to.
// params:  database (string)
// returns: id (string)
// runs:    implicit transaction, reads
SHOW TRANSACTIONS YIELD database, transactionId, metaData, status, currentQuery
WHERE
  database = $database AND coalesce(metaData.graphpalace, '') <> 'reads'
  AND NOT status STARTS WITH 'Blocked' AND NOT currentQuery STARTS WITH '// list_transactions:'
RETURN transactionId AS id
