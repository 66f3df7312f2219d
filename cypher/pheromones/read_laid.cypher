// read_laid: lock the edges and nodes of a deposit, and read its record, later records that share them, and their current pheromones; no row without a record.
// params:  palace (string), id (string), cycle_seconds (float), rates (map of share lost per cycle), floor (float)
// returns: cycle (int), deposit (map: the record), later (list of map: records since that share an edge or node, the oldest first), edges (list of {key, element, success, traversal, recency}), nodes (list of {key, element, exploitation, exploration}): current values, decayed to the cycle
// runs:    explicit transaction
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH
  p.cycle + toInteger((datetime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * $cycle_seconds)) AS cycle
MATCH (d:Deposit {id: $id})
WHERE d.palace = $palace AND d.edges IS NOT NULL
CALL (d) {
  MATCH (other:Deposit)
  // A deposit reads the clock before it takes its locks, so only the revision tells which deposit came first.
  WHERE other.palace = $palace AND other.created_at > d.created_at - duration({hours: 1}) AND other.revision > d.revision
    AND (any(key IN other.edges WHERE key IN d.edges) OR any(key IN other.nodes WHERE key IN d.nodes))
  WITH other ORDER BY other.revision
  RETURN collect(properties(other)) AS later
}
CALL (d, cycle) {
  UNWIND d.edges AS key
  WITH DISTINCT key, cycle, split(key, ' ') AS part
  WITH key, cycle, {type: part[0], from: part[1], to: part[2]} AS row
  CALL (row) {
    WITH row WHERE row.type = 'HAS_ROOM' MATCH (:Wing {id: row.from})-[e:HAS_ROOM]->(:Room {id: row.to}) RETURN e
    UNION ALL
    WITH row WHERE row.type = 'HAS_CLOSET' MATCH (:Room {id: row.from})-[e:HAS_CLOSET]->(:Closet {id: row.to}) RETURN e
    UNION ALL
    WITH row WHERE row.type = 'HAS_DRAWER' MATCH (:Closet {id: row.from})-[e:HAS_DRAWER]->(:Drawer {id: row.to}) RETURN e
    UNION ALL
    WITH row WHERE row.type = 'HALL' MATCH (:Room {id: row.from})-[e:HALL]->(:Room {id: row.to}) RETURN e
    UNION ALL
    WITH row WHERE row.type = 'TUNNEL' MATCH (:Room {id: row.from})-[e:TUNNEL]->(:Room {id: row.to}) RETURN e
    UNION ALL
    WITH row WHERE row.type = 'SIMILAR_TO' MATCH (:Drawer {id: row.from})-[e:SIMILAR_TO]->(:Drawer {id: row.to}) RETURN e
    UNION ALL
    WITH row WHERE row.type = 'REFERENCES' MATCH (:Drawer {id: row.from})-[e:REFERENCES]->(:Entity {id: row.to}) RETURN e
    UNION ALL
    WITH row WHERE row.type = 'RELATES_TO' MATCH (:Entity {id: row.from})-[e:RELATES_TO]->(:Entity {id: row.to})
    WHERE e.invalidated_at IS NULL RETURN e ORDER BY coalesce(e.pheromone_cycle, -1) DESC, e.id LIMIT 1 // one for all facts
    UNION ALL
    WITH row WHERE row.type = 'ANSWERED_BY' MATCH (:Wing {id: row.from})-[e:ANSWERED_BY]->(:Lane {id: row.to}) RETURN e
  }
  SET e.warm_in = $palace  // locks the edge, so that the values read below stay as they are
  WITH e, key, CASE WHEN cycle > e.pheromone_cycle THEN cycle - e.pheromone_cycle ELSE 0 END AS age
  WITH
    e, key,
    coalesce(e.success_pheromone, 0.0) * (1 - $rates.success) ^ age AS success,
    coalesce(e.traversal_pheromone, 0.0) * (1 - $rates.traversal) ^ age AS traversal,
    coalesce(e.recency_pheromone, 0.0) * (1 - $rates.recency) ^ age AS recency
  RETURN collect({
    key: key, element: elementId(e),
    success: CASE WHEN success < $floor THEN 0.0 ELSE success END,
    traversal: CASE WHEN traversal < $floor THEN 0.0 ELSE traversal END,
    recency: CASE WHEN recency < $floor THEN 0.0 ELSE recency END
  }) AS edges
}
CALL (d, cycle) {
  UNWIND d.nodes AS key
  WITH DISTINCT key, cycle, split(key, ' ') AS part
  WITH key, cycle, {kind: part[0], id: part[1]} AS row
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
    UNION ALL
    WITH row WHERE row.kind = 'CallerDocument' MATCH (n:CallerDocument {id: row.id}) RETURN n
  }
  SET n.warm_in = $palace
  WITH n, key, CASE WHEN cycle > n.pheromone_cycle THEN cycle - n.pheromone_cycle ELSE 0 END AS age
  WITH
    n, key,
    coalesce(n.exploitation_pheromone, 0.0) * (1 - $rates.exploitation) ^ age AS exploitation,
    coalesce(n.exploration_pheromone, 0.0) * (1 - $rates.exploration) ^ age AS exploration
  RETURN collect({
    key: key, element: elementId(n),
    exploitation: CASE WHEN exploitation < $floor THEN 0.0 ELSE exploitation END,
    exploration: CASE WHEN exploration < $floor THEN 0.0 ELSE exploration END
  }) AS nodes
}
RETURN cycle, properties(d) AS deposit, later, edges, nodes
