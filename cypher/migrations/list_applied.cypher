// list_applied: list the migrations that were applied to this database.
// params:
// returns: version (string), description (string), checksum (string)
// runs:    implicit transaction, reads
MATCH (m:__Neo4jMigration)
RETURN m.version AS version, m.description AS description, m.checksum AS checksum
ORDER BY version
