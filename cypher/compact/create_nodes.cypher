// create_nodes: create nodes with all that they have.
// params:  nodes (list of {labels, properties})
// returns: id (string), in the order of the nodes
// runs:    explicit transaction
UNWIND range(0, size($nodes) - 1) AS at
WITH at, $nodes[at] AS node
CREATE (n:$(node.labels))
SET n = node.properties
RETURN at, elementId(n) AS id
ORDER BY at
