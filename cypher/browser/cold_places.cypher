// Cold places
// Rooms without any pheromone, the oldest first.
MATCH (:Palace {name: 'main'})-[:CONTAINS]->(w:Wing)-[h:HAS_ROOM]->(r:Room)
WHERE
  r.warm_in IS NULL
  AND NOT EXISTS { MATCH (r)-[:HAS_CLOSET]->(c:Closet) WHERE c.warm_in IS NOT NULL }
  AND NOT EXISTS { MATCH (r)-[:HAS_CLOSET]->(:Closet)-[:HAS_DRAWER]->(d:Drawer) WHERE d.warm_in IS NOT NULL AND d.room_id = r.id }
RETURN w, h, r, w.name + '/' + r.name AS room, r.created_at AS since
ORDER BY since, room
LIMIT 40
