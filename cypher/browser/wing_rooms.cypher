// GraphPalace: one wing's rooms with their halls and tunnels (put its name between the quotes; as it is, the first)
WITH 'main' AS palace, '' AS wing
MATCH (:Palace {name: palace})-[:CONTAINS]->(w:Wing)
WHERE wing = '' OR w.name = wing
WITH w ORDER BY w.name LIMIT 1
MATCH (w)-[h:HAS_ROOM]->(r:Room)
OPTIONAL MATCH (r)-[e:HALL|TUNNEL]-(other:Room)
OPTIONAL MATCH (other)<-[its:HAS_ROOM]-(home:Wing)
RETURN w, h, r, e, other, its, home
LIMIT 500
