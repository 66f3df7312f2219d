// Reward a path by hand
// From a wing down to a drawer.
// Put the id of the drawer between the empty quotes. Without an id, nothing changes. This query does what a deposit
// does: it brings the pheromones up to date, adds to them, computes the cost, marks the path as warm, and makes the
// services read the change. The rates must equal those of the section [pheromones] of the settings.
WITH 'main' AS palace, '' AS drawer, 1.0 AS reward, 3600 AS cycle_seconds, 5.0 AS most
MATCH (p:Palace {name: palace})
WITH
  palace, drawer, reward, most, p,
  {success: 0.01, traversal: 0.03, recency: 0.10, exploitation: 0.02, exploration: 0.05} AS rates,
  p.cycle + toInteger((datetime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * cycle_seconds)) AS cycle
MATCH way = (:Wing)-[:HAS_ROOM]->(r:Room)-[:HAS_CLOSET]->(:Closet)-[:HAS_DRAWER]->(d:Drawer {id: drawer})
WHERE d.palace = palace AND r.id = d.room_id
WITH p, palace, reward, most, rates, cycle, way LIMIT 1
CALL (palace, reward, most, rates, cycle, way) {
  UNWIND range(0, size(relationships(way)) - 1) AS at
  WITH *, relationships(way)[at] AS e
  SET e.warm_in = palace
  WITH *, CASE WHEN cycle > e.pheromone_cycle THEN cycle - e.pheromone_cycle ELSE 0 END AS age
  WITH
    e, cycle, most,
    coalesce(e.success_pheromone, 0.0) * (1 - rates.success) ^ age + reward * (1 - at * 1.0 / size(relationships(way))) AS success,
    coalesce(e.traversal_pheromone, 0.0) * (1 - rates.traversal) ^ age + 0.1 AS traversal
  SET
    e.success_pheromone = CASE WHEN success > most THEN most ELSE success END,
    e.traversal_pheromone = CASE WHEN traversal > most THEN most ELSE traversal END,
    e.recency_pheromone = 1.0, e.pheromone_cycle = cycle
  SET e.current_cost = e.base_cost * (1 - 0.5 * (
    0.5 * CASE WHEN e.success_pheromone > 1 THEN 1 ELSE e.success_pheromone END + 0.3
    + 0.2 * CASE WHEN e.traversal_pheromone > 1 THEN 1 ELSE e.traversal_pheromone END
  ))
  RETURN collect(type(e) + ' ' + startNode(e).id + ' ' + endNode(e).id) AS edges
}
CALL (palace, most, rates, cycle, way) {
  UNWIND nodes(way) AS n
  SET n.warm_in = palace
  WITH n, cycle, most, rates, CASE WHEN cycle > n.pheromone_cycle THEN cycle - n.pheromone_cycle ELSE 0 END AS age
  WITH
    n, cycle, most, coalesce(n.exploration_pheromone, 0.0) * (1 - rates.exploration) ^ age AS exploration,
    coalesce(n.exploitation_pheromone, 0.0) * (1 - rates.exploitation) ^ age + 0.2 AS exploitation
  SET
    n.exploitation_pheromone = CASE WHEN exploitation > most THEN most ELSE exploitation END,
    n.exploration_pheromone = exploration, n.pheromone_cycle = cycle
  RETURN collect(n.id) AS nodes
}
SET p.revision = p.revision + 1
CREATE (:Change {
  palace: palace, revision: p.revision, stored: [], removed: [], created_at: datetime(), nodes: nodes, edges: edges
})
RETURN way, p.revision AS revision
