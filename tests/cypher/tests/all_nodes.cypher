// all_nodes: every node of a palace but the change feed and what searches showed.
// params:  palace (string)
// returns: labels (list of string), properties (map)
// runs:    implicit transaction, reads
MATCH (n) WHERE n.palace = $palace AND NOT n:Change AND NOT n:Search
RETURN labels(n) AS labels, properties(n) AS properties ORDER BY n.id
