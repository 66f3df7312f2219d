// load_some_trails: load the pheromones of some nodes and edges.
// params:  nodes (list of {kind, id}), edges (list of {type, from, to})
// returns: nodes (list of [key, exploitation, exploration, cycle]), edges (list of [source key, target key, type, success, traversal, recency, cycle])
// runs:    implicit transaction, reads
CALL () {
  UNWIND $nodes AS row
  CALL (row) {
    WITH row WHERE row.kind = 'Wing' MATCH (n:Wing {id: row.id}) RETURN n
    UNION ALL
    WITH row WHERE row.kind = 'Room' MATCH (n:Room {id: row.id}) RETURN n
    UNION ALL
    WITH row WHERE row.kind = 'Closet' MATCH (n:Closet {id: row.id}) RETURN n
    UNION ALL
    WITH row WHERE row.kind = 'Drawer' MATCH (n:Drawer {id: row.id}) RETURN n
    UNION ALL
    WITH row WHERE row.kind = 'Entity' MATCH (n:Entity {id: row.id}) RETURN n
  }
  RETURN collect([
    id(n), coalesce(n.exploitation_pheromone, 0.0), coalesce(n.exploration_pheromone, 0.0), coalesce(n.pheromone_cycle, -1)
  ]) AS nodes
}
CALL () {
  UNWIND $edges AS row
  CALL (row) {
    WITH row WHERE row.type = 'HAS_ROOM' MATCH (a:Wing {id: row.from})-[e:HAS_ROOM]->(b:Room {id: row.to}) RETURN a, e, b
    UNION ALL
    WITH row WHERE row.type = 'HAS_CLOSET' MATCH (a:Room {id: row.from})-[e:HAS_CLOSET]->(b:Closet {id: row.to}) RETURN a, e, b
    UNION ALL
    WITH row WHERE row.type = 'HAS_DRAWER' MATCH (a:Closet {id: row.from})-[e:HAS_DRAWER]->(b:Drawer {id: row.to}) RETURN a, e, b
    UNION ALL
    WITH row WHERE row.type = 'HALL' MATCH (a:Room {id: row.from})-[e:HALL]->(b:Room {id: row.to}) RETURN a, e, b
    UNION ALL
    WITH row WHERE row.type = 'TUNNEL' MATCH (a:Room {id: row.from})-[e:TUNNEL]->(b:Room {id: row.to}) RETURN a, e, b
    UNION ALL
    WITH row WHERE row.type = 'SIMILAR_TO' MATCH (a:Drawer {id: row.from})-[e:SIMILAR_TO]->(b:Drawer {id: row.to}) RETURN a, e, b
    UNION ALL
    WITH row WHERE row.type = 'REFERENCES' MATCH (a:Drawer {id: row.from})-[e:REFERENCES]->(b:Entity {id: row.to}) RETURN a, e, b
    UNION ALL
    WITH row WHERE row.type = 'RELATES_TO' MATCH (a:Entity {id: row.from})-[e:RELATES_TO]->(b:Entity {id: row.to})
    WHERE e.invalidated_at IS NULL RETURN a, e, b ORDER BY coalesce(e.pheromone_cycle, -1) DESC, e.id LIMIT 1
  }
  RETURN collect([
    id(a), id(b), row.type, coalesce(e.success_pheromone, 0.0), coalesce(e.traversal_pheromone, 0.0),
    coalesce(e.recency_pheromone, 0.0), coalesce(e.pheromone_cycle, -1)
  ]) AS edges
}
RETURN nodes, edges
