// drop_constraint: remove a constraint with its index.
// params:  name (string, placed as a literal)
// returns:
// runs:    schema transaction, safe to repeat
DROP CONSTRAINT __NAME__ IF EXISTS
