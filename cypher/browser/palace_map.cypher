// Map of the palace
// Wings, rooms, halls and tunnels.
MATCH (p:Palace {name: 'main'})-[c:CONTAINS]->(w:Wing)
OPTIONAL MATCH (w)-[h:HAS_ROOM]->(r:Room)
OPTIONAL MATCH (r)-[t:HALL|TUNNEL]->(other:Room)
RETURN p, c, w, h, r, t, other
LIMIT 500
