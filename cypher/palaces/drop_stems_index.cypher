// drop_stems_index: remove the index of stemmed words of one palace.
// params:
// returns:
// runs:    schema transaction, safe to repeat; __PALACE__ stands for the checked name
DROP INDEX drawer_stems___PALACE__ IF EXISTS
