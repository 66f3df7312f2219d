// drop_language_index: remove an index of words of one palace's wings in another language than the palace's.
// params:  kind (string, placed as a literal: analyzer_stems or analyzer_exact)
// returns:
// runs:    schema transaction, safe to repeat; __PALACE__ stands for the checked name
DROP INDEX drawer___KIND_____PALACE__ IF EXISTS
