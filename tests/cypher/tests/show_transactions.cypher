// tests/show_transactions: what Neo4j shows of the transactions that run now.
// params:
// returns: query (string), metadata (map)
// runs:    implicit transaction
SHOW TRANSACTIONS YIELD currentQuery AS query, metaData AS metadata
