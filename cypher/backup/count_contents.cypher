// count_contents: what somebody has put into the database. An empty palace, the schema and samples of nothing do not count.
// params:
// returns: nodes (int), palaces (list of string)
// runs:    implicit transaction, reads; it looks at the whole database
CALL () {
  MATCH (n)
  WHERE NOT n:Palace AND NOT n:__Neo4jMigration AND NOT n:PheromoneSample AND NOT n:BackupGate AND NOT n:Restore
  RETURN count(n) AS nodes
}
CALL () {
  MATCH (p:Palace)
  RETURN collect(p.name) AS palaces
}
RETURN nodes, palaces
