// V0011 names_of_places: drawers have the names of their wing and room, so that other programs can filter by them.
MATCH (w:Wing)-[:HAS_ROOM]->(r:Room)-[:HAS_CLOSET]->(:Closet)-[:HAS_DRAWER]->(d:Drawer)
WHERE d.room_id = r.id AND d.room IS NULL
CALL (w, r, d) {
  SET d.wing = w.name, d.room = r.name
} IN TRANSACTIONS OF 10000 ROWS
