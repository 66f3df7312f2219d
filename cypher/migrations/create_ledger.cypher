// create_ledger: create the constraint that lets only one service record a version; runs before anything else.
// params:
// returns:
// runs:    schema transaction, safe to repeat
CREATE CONSTRAINT migration_version IF NOT EXISTS FOR (m:__Neo4jMigration) REQUIRE m.version IS UNIQUE
