// whole_nodes: every node of a palace but the change feed, with all that it has.
// params:  palace (string)
// returns: what (string: labels and id), properties (map)
// runs:    implicit transaction, reads
MATCH (n) WHERE n.palace = $palace AND NOT n:Change
RETURN reduce(all = '', one IN labels(n) | all + one + ' ') AS what, properties(n) AS properties
