// all_edges: every edge of a palace.
// params:  palace (string)
// returns: type (string), from (string), to (string), properties (map)
// runs:    implicit transaction, reads
MATCH (a)-[e]->(b) WHERE a.palace = $palace OR b.palace = $palace
RETURN type(e) AS type, a.id AS from, b.id AS to, properties(e) AS properties ORDER BY type, from, to
