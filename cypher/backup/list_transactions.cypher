// list_transactions: the transactions that are open and may have written something.
// params:  database (string)
// returns: id (string)
// runs:    implicit transaction, reads
SHOW TRANSACTIONS YIELD database, transactionId, metaData, currentQuery
WHERE
  database = $database AND coalesce(metaData.graphpalace, '') <> 'reads'
  AND NOT currentQuery STARTS WITH '// pass_gate:' AND NOT currentQuery STARTS WITH '// list_transactions:'
RETURN transactionId AS id
