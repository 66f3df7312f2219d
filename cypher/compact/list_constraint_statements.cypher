// list_constraint_statements: the statements that create the constraints of the database, with their indexes.
// params:
// returns: statement (string)
// runs:    implicit transaction, reads
SHOW CONSTRAINTS YIELD createStatement
RETURN createStatement AS statement
