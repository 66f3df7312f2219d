// drop_vector_index: remove the vector index of one palace.
// params:
// returns:
// runs:    schema transaction, safe to repeat; __PALACE__ stands for the checked name
DROP INDEX drawer_vector___PALACE__ IF EXISTS
