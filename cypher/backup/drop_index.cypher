// drop_index: remove an index.
// params:  name (string, placed as a literal)
// returns:
// runs:    schema transaction, safe to repeat
DROP INDEX __NAME__ IF EXISTS
