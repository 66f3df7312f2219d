// list_nodes: every node of the database, with all that it has.
// params:
// returns: id (string), labels (list of string), properties (map)
// runs:    implicit transaction, reads; it scans the whole database, to copy it
MATCH (n)
RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties
