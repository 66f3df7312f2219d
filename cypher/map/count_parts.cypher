// count_parts: count the nodes and relationships of a palace.
// params:  palace (string)
// returns: created_at (string), nodes (map of int by label), edges (map of int by type); no row if there is no such palace
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
MATCH (p:Palace {name: $palace})
CALL (p) {
  MATCH (p)-[:CONTAINS]->(w:Wing)
  RETURN count(w) AS wings, sum(COUNT { (w)-[:HAS_ROOM]->() }) AS has_room
}
CALL (p) {
  MATCH (p)-[:CONTAINS]->(:Wing)-[:HAS_ROOM]->(r:Room)
  RETURN
    count(r) AS rooms, sum(COUNT { (r)-[:HAS_CLOSET]->() }) AS has_closet,
    sum(COUNT { (r)-[:HALL]->() }) AS halls, sum(COUNT { (r)-[:TUNNEL]->() }) AS tunnels
}
CALL () {
  MATCH (c:Closet)
  WHERE c.palace = $palace AND c.wing_id IS NOT NULL
  RETURN count(c) AS closets, sum(COUNT { (c)-[:HAS_DRAWER]->() }) AS has_drawer
}
CALL () {
  MATCH (d:Drawer___PALACE__)
  RETURN
    count(d) AS drawers, sum(COUNT { (d)-[:SIMILAR_TO]->() }) AS similar, sum(COUNT { (d)-[:REFERENCES]->() }) AS references
}
CALL () {
  MATCH (e:Entity)
  WHERE e.palace = $palace AND e.name IS NOT NULL
  RETURN count(e) AS entities, sum(COUNT { (e)-[:RELATES_TO]->() }) AS relates
}
RETURN
  toString(p.created_at) AS created_at,
  {
    Wing: wings, Room: rooms, Closet: closets, Drawer: drawers, Entity: entities,
    Agent: COUNT { (p)-[:MANAGES]->(:Agent) }
  } AS nodes,
  {
    CONTAINS: wings, HAS_ROOM: has_room, HAS_CLOSET: has_closet, HAS_DRAWER: has_drawer, HALL: halls, TUNNEL: tunnels,
    SIMILAR_TO: similar, REFERENCES: references, RELATES_TO: relates
  } AS edges
