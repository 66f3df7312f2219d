// read_document_signals: read the memories and pheromones of callers' documents in columns, and the palace's clock; documents without feedback are left out.
// params:  palace (string), ids (list of string), cycle_seconds (float), at_ms (int or null: now)
// returns: cycle (int), ids (list of string), exploitation (list of float), node_cycles (list of int), laid_cycles (list of int, or -1): of the last feedback, memories (list of bytes or empty), strengths (list of float), memory_cycles (list of int)
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $palace})
WITH
  p.cycle + toInteger(floor(
    (coalesce($at_ms, datetime().epochMillis) - p.cycle_started_at.epochMillis) / (1000.0 * $cycle_seconds)
  )) AS cycle
UNWIND $ids AS id
MATCH (c:CallerDocument {id: id})
WHERE c.palace = $palace
WITH cycle, c, COLLECT { MATCH (f:Feedback)-[:USEFUL|USELESS]->(c) RETURN f.cycle } AS given
RETURN
  cycle, collect(c.id) AS ids,
  collect(coalesce(c.exploitation_pheromone, 0.0)) AS exploitation,
  collect(coalesce(c.pheromone_cycle, cycle)) AS node_cycles,
  collect(reduce(last = -1, at IN given | CASE WHEN at > last THEN at ELSE last END)) AS laid_cycles,
  collect(coalesce(c.narrative_vector, '')) AS memories,
  collect(coalesce(c.narrative_strength, 0.0)) AS strengths,
  collect(coalesce(c.narrative_cycle, cycle)) AS memory_cycles
