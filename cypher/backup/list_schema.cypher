// list_schema: the indexes and constraints of the database, but for Neo4j's own.
// params:
// returns: name (string), constraint (bool)
// runs:    implicit transaction, reads
SHOW INDEXES YIELD name, type, owningConstraint
WHERE type <> 'LOOKUP'
RETURN name, owningConstraint IS NOT NULL AS constraint
