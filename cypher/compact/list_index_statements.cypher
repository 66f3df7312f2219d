// list_index_statements: the statements that create the indexes of the database, but for those of constraints.
// params:
// returns: statement (string)
// runs:    implicit transaction, reads
SHOW INDEXES YIELD type, owningConstraint, createStatement
WHERE type <> 'LOOKUP' AND owningConstraint IS NULL
RETURN createStatement AS statement
