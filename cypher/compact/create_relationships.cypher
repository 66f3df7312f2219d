// create_relationships: create relationships with all that they have.
// params:  relationships (list of {type, source, target, properties}: the ends by their ids)
// returns: created (int)
// runs:    explicit transaction
UNWIND $relationships AS row
MATCH (a) WHERE elementId(a) = row.source
MATCH (b) WHERE elementId(b) = row.target
CREATE (a)-[r:$(row.type)]->(b)
SET r = row.properties
RETURN count(r) AS created
