// server_info: version and edition of the server, and its clock.
// params:
// returns: version (string), edition (string), now (string)
// runs:    implicit transaction, reads
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, edition, toString(datetime.realtime()) AS now
