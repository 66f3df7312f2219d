// Map of the palace
// Wings and rooms, with halls and tunnels
MATCH path = (:Palace {name: 'main'})-[:CONTAINS]->(:Wing)-[:HAS_ROOM]->(r:Room)
OPTIONAL MATCH beside = (r)-[:HALL|TUNNEL]->(:Room)
RETURN path, beside
LIMIT 1000
