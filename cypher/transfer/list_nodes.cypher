// list_nodes: every node of a palace with one label, with all that it has.
// params:  palace (string), label (string, placed as a literal), indexed, also (strings, placed as literals: properties of the label's index)
// returns: properties (map)
// runs:    implicit transaction, reads
MATCH (n:__LABEL__)
WHERE n.palace = $palace AND n.__INDEXED__ IS NOT NULL AND n.__ALSO__ IS NOT NULL
RETURN properties(n) AS properties
