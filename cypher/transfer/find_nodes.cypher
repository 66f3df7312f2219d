// find_nodes: those of some nodes that exist, with all that they have.
// params:  keys (list), label (string, placed as a literal), key (string, placed as a literal: the property that identifies a node)
// returns: key (any), properties (map)
// runs:    explicit transaction
UNWIND $keys AS key
MATCH (n:__LABEL__ {__KEY__: key})
RETURN key, properties(n) AS properties
