// read_signals: read the memories and pheromones of drawers in columns, and the palace's clock; ids that are not in the palace are left out.
// params:  palace (string), ids (list of string), cycle_seconds (float), at_ms (int or null: now), floor (float)
// returns: cycle (int), ids (list of string), exploitation, success, recency (lists of float), node_cycles, edge_cycles (lists of int), uses (lists of [recency, cycle] of the edges at each drawer that has exploitation), memories (list of bytes or empty), strengths (list of float), memory_cycles (list of int)
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $palace})
WITH
  p.cycle + toInteger(floor(
    (coalesce($at_ms, datetime().epochMillis) - p.cycle_started_at.epochMillis) / (1000.0 * $cycle_seconds)
  )) AS cycle
UNWIND $ids AS id
MATCH (d:Drawer {id: id})
WHERE d.palace = $palace
MATCH (:Closet)-[e:HAS_DRAWER]->(d)
CALL (d) {
  WITH d WHERE d.exploitation_pheromone > 0
  MATCH (d)-[walked]-()
  WHERE walked.recency_pheromone >= $floor
  RETURN collect([walked.recency_pheromone, walked.pheromone_cycle]) AS uses
}
RETURN
  cycle, collect(d.id) AS ids,
  collect(coalesce(d.exploitation_pheromone, 0.0)) AS exploitation,
  collect(coalesce(e.success_pheromone, 0.0)) AS success,
  collect(coalesce(e.recency_pheromone, 0.0)) AS recency,
  collect(coalesce(d.pheromone_cycle, cycle)) AS node_cycles,
  collect(coalesce(e.pheromone_cycle, cycle)) AS edge_cycles,
  collect(uses) AS uses,
  collect(coalesce(d.narrative_vector, '')) AS memories,
  collect(coalesce(d.narrative_strength, 0.0)) AS strengths,
  collect(coalesce(d.narrative_cycle, cycle)) AS memory_cycles
