// drop_fulltext_index: remove the text index of one palace.
// params:
// returns:
// runs:    schema transaction, safe to repeat; __PALACE__ stands for the checked name
DROP INDEX drawer_text___PALACE__ IF EXISTS
