// deposit: add pheromones to edges and nodes, or take some away, but never below 0; first, decay is applied to each, and afterwards its cost is computed again.
// The record of the deposit stores the values before it and what it added, so that it can be undone.
// params:  id (string), palace (string), kind (string), cycle_seconds (float), rates (map of share lost per cycle), floor (float), most (float), recorded (bool: whether to store a record, which the undo of this or another deposit needs), edges (list of {type, from, to, success, traversal, recency}, ordered), nodes (list of {kind, id, exploitation, exploration}, ordered)
// returns: fresh (bool): false if the id exists already and nothing was done, edges (int), nodes (int), revision (int or null)
// runs:    explicit transaction, safe to repeat; the caller rolls back if it needs all edges and nodes and some are missing
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p
WHERE p.dropped_at IS NULL
MERGE (d:Deposit {id: $id})
ON CREATE SET d.palace = $palace, d.kind = $kind, d.created_at = datetime(), d.fresh = true
WITH
  p, d, coalesce(d.fresh, false) AS fresh,
  toInteger((datetime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * $cycle_seconds)) AS passed
WITH p, d, fresh, p.cycle + CASE WHEN passed > 0 THEN passed ELSE 0 END AS cycle // its time may go back
REMOVE d.fresh
SET d.cycle = coalesce(d.cycle, cycle)
WITH p, d, fresh, cycle
CALL (fresh, cycle) {
  UNWIND CASE WHEN fresh THEN $edges ELSE [] END AS row
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
  WITH e, row, cycle, CASE WHEN cycle > e.pheromone_cycle THEN cycle - e.pheromone_cycle ELSE 0 END AS age
  WITH
    e, row, cycle,
    coalesce(e.success_pheromone, 0.0) * (1 - $rates.success) ^ age AS success,
    coalesce(e.traversal_pheromone, 0.0) * (1 - $rates.traversal) ^ age AS traversal,
    coalesce(e.recency_pheromone, 0.0) * (1 - $rates.recency) ^ age AS recency
  WITH
    e, row, cycle,
    CASE WHEN success < $floor THEN 0.0 ELSE success END AS success,
    CASE WHEN traversal < $floor THEN 0.0 ELSE traversal END AS traversal,
    CASE WHEN recency < $floor THEN 0.0 ELSE recency END AS recency
  WITH
    e, cycle, row {.*, success_before: success, traversal_before: traversal, recency_before: recency} AS row,
    success + row.success AS success, traversal + row.traversal AS traversal,
    CASE WHEN row.recency > recency THEN row.recency ELSE recency END AS recency
  WITH
    e, cycle, row,
    CASE WHEN success > $most THEN $most WHEN success < 0 THEN 0.0 ELSE success END AS success,
    CASE WHEN traversal > $most THEN $most ELSE traversal END AS traversal,
    CASE WHEN recency > $most THEN $most ELSE recency END AS recency
  WITH
    e, cycle, row, success, traversal, recency,
    e.base_cost * (1 - 0.5 * (
      0.5 * CASE WHEN success > 1 THEN 1 ELSE success END
      + 0.3 * CASE WHEN recency > 1 THEN 1 ELSE recency END
      + 0.2 * CASE WHEN traversal > 1 THEN 1 ELSE traversal END
    )) AS cost
  SET
    e.success_pheromone = success, e.traversal_pheromone = traversal, e.recency_pheromone = recency,
    e.current_cost = CASE WHEN cost > 10 THEN 10.0 WHEN cost < 0 THEN 0.0 ELSE cost END,
    e.pheromone_cycle = CASE WHEN e.pheromone_cycle > cycle THEN e.pheromone_cycle ELSE cycle END
  RETURN collect(row) AS edges
}
CALL (fresh, cycle) {
  UNWIND CASE WHEN fresh THEN $nodes ELSE [] END AS row
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
  WITH n, row, cycle, CASE WHEN cycle > n.pheromone_cycle THEN cycle - n.pheromone_cycle ELSE 0 END AS age
  WITH
    n, row, cycle,
    coalesce(n.exploitation_pheromone, 0.0) * (1 - $rates.exploitation) ^ age AS exploitation,
    coalesce(n.exploration_pheromone, 0.0) * (1 - $rates.exploration) ^ age AS exploration
  WITH
    n, row, cycle,
    CASE WHEN exploitation < $floor THEN 0.0 ELSE exploitation END AS exploitation,
    CASE WHEN exploration < $floor THEN 0.0 ELSE exploration END + row.exploration AS exploration
  WITH n, cycle, row {.*, before: exploitation} AS row, exploitation + row.exploitation AS exploitation, exploration
  SET
    n.exploitation_pheromone = CASE WHEN exploitation > $most THEN $most WHEN exploitation < 0 THEN 0.0 ELSE exploitation END,
    n.exploration_pheromone = CASE WHEN exploration > $most THEN $most ELSE exploration END,
    n.pheromone_cycle = CASE WHEN n.pheromone_cycle > cycle THEN n.pheromone_cycle ELSE cycle END
  RETURN collect(row) AS nodes
}
CALL (p, d, fresh, edges, nodes) {
  WITH p, d, edges, nodes, p.revision + 1 AS revision WHERE fresh
  SET p.revision = revision, d.revision = revision
  CREATE (:Change {
    palace: $palace, revision: revision, stored: [], removed: [], created_at: datetime(),
    nodes: [row IN $nodes | row.id],
    edges: [row IN $edges WHERE row.type <> 'ANSWERED_BY' | row.type + ' ' + row.from + ' ' + row.to]
  })
  FOREACH (kept IN CASE WHEN $recorded THEN [d] ELSE [] END |
    SET
      kept.edges = [row IN edges | row.type + ' ' + row.from + ' ' + row.to],
      kept.success_before = [row IN edges | row.success_before], kept.success_laid = [row IN edges | row.success],
      kept.traversal_before = [row IN edges | row.traversal_before], kept.traversal_laid = [row IN edges | row.traversal],
      kept.recency_before = [row IN edges | row.recency_before], kept.recency_laid = [row IN edges | row.recency],
      kept.nodes = [row IN nodes | row.kind + ' ' + row.id],
      kept.exploitation_before = [row IN nodes | row.before], kept.exploitation_laid = [row IN nodes | row.exploitation]
  )
  RETURN count(*) AS told
}
RETURN fresh, size(edges) AS edges, size(nodes) AS nodes, CASE WHEN fresh THEN p.revision END AS revision
