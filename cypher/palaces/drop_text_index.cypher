// drop_text_index: remove the text index that a palace had before there were two.
// params:
// returns:
// runs:    schema transaction, safe to repeat; __PALACE__ stands for the checked name
DROP INDEX drawer_text___PALACE__ IF EXISTS
