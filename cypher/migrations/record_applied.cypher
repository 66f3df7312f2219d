// record_applied: record that a migration was applied.
// params:  version (string), description (string), checksum (string), seconds (float)
// returns:
// runs:    implicit transaction, safe to repeat
MERGE (m:__Neo4jMigration {version: $version})
ON CREATE SET m.description = $description, m.checksum = $checksum, m.seconds = $seconds, m.applied_at = datetime()
