// list_connections: the address of each connection of a GraphPalace to the server.
// params:
// returns: address (string: host and port of the client)
// runs:    implicit transaction, reads
CALL dbms.listConnections() YIELD userAgent, clientAddress
WHERE userAgent = 'graphpalace'
RETURN clientAddress AS address
