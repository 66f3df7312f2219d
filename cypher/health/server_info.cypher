// server_info: version and edition of the server.
// params:
// returns: version (string), edition (string)
// runs:    implicit transaction, reads
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, edition
