// all_nodes: every node of a palace but the change feed.
// params:  palace (string)
// returns: labels (list of string), properties (map)
// runs:    implicit transaction, reads
MATCH (n) WHERE n.palace = $palace AND NOT n:Change
RETURN labels(n) AS labels, properties(n) AS properties ORDER BY n.id
