// whole_edges: every relationship of a palace, with all that it has.
// params:  palace (string)
// returns: what (string: type and ends), properties (map)
// runs:    implicit transaction, reads
MATCH (a)-[r]->(b) WHERE a.palace = $palace OR b.palace = $palace
RETURN coalesce(a.id, a.name) + ' ' + type(r) + ' ' + coalesce(b.id, b.name) AS what, properties(r) AS properties
