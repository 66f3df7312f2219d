// drop_exact_index: remove the index of exact words of one palace.
// params:
// returns:
// runs:    schema transaction, safe to repeat; __PALACE__ stands for the checked name
DROP INDEX drawer_exact___PALACE__ IF EXISTS
