// Rooms of one wing
// With their halls and tunnels.
// Put the name of the wing between the empty quotes. Without a name, the first wing is shown.
WITH 'main' AS palace, '' AS wing
MATCH (:Palace {name: palace})-[:CONTAINS]->(w:Wing)
WHERE wing = '' OR w.name = wing
WITH w ORDER BY w.name LIMIT 1
MATCH (w)-[h:HAS_ROOM]->(r:Room)
OPTIONAL MATCH (r)-[e:HALL|TUNNEL]-(other:Room)
OPTIONAL MATCH (other)<-[its:HAS_ROOM]-(home:Wing)
RETURN w, h, r, e, other, its, home
LIMIT 500
