// Around one drawer
// Put the id of the drawer between the empty quotes. Without an id, the warmest drawer is shown.
WITH 'main' AS palace, '' AS id
CALL (palace, id) {
  MATCH (d:Drawer {id: id}) RETURN d
  UNION
  WITH palace, id WHERE id = ''
  MATCH (d:Drawer) WHERE d.warm_in = palace
  RETURN d ORDER BY d.exploitation_pheromone DESC, d.id LIMIT 1
}
MATCH up = (d)<-[:HAS_DRAWER]-(:Closet)<-[:HAS_CLOSET]-(:Room {id: d.room_id})<-[:HAS_ROOM]-(:Wing)
OPTIONAL MATCH beside = (d)-[:SIMILAR_TO|REFERENCES]-()
RETURN up, beside
LIMIT 100
