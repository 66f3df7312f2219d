// list_relationships: every relationship of the database, with all that it has.
// params:
// returns: type (string), source (string: id of its start), target (string: id of its end), properties (map)
// runs:    implicit transaction, reads; it scans the whole database, to copy it
MATCH (a)-[r]->(b)
RETURN type(r) AS type, elementId(a) AS source, elementId(b) AS target, properties(r) AS properties
