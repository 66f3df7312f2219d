// drop_text_index: remove the text index from before each palace had two of them.
// params:
// returns:
// runs:    schema transaction, safe to repeat; __PALACE__ stands for the checked name
DROP INDEX drawer_text___PALACE__ IF EXISTS
