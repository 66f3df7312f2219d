// delete_nodes: remove everything of one palace, a thousand nodes a transaction.
// params:  name (string)
// returns: deleted (int)
// runs:    auto-commit (CALL IN TRANSACTIONS), safe to repeat
MATCH (n:!__Neo4jMigration)
WHERE n.palace = $name
CALL (n) {
  DETACH DELETE n
} IN TRANSACTIONS OF 1000 ROWS
RETURN count(*) AS deleted
