// list_write_keys: list the keys of a palace with all that they keep.
// params:  palace (string)
// returns: key (map)
// runs:    implicit transaction, reads
MATCH (k:WriteKey {palace: $palace})
RETURN k {.*, at: toString(k.at)} AS key
