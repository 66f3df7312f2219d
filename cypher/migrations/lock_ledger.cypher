// lock_ledger: hold the write lock of the ledger until the transaction ends, so that one service migrates at a time.
// params:
// returns: token (int)
// runs:    explicit transaction, safe to repeat
MERGE (m:__Neo4jMigration {version: 'BASELINE'})
SET m.lock_count = coalesce(m.lock_count, 0) + 1
RETURN m.lock_count AS token
