// begin_import: decide whether a palace has nothing yet, so that it takes over the clock and the counters of an export, or has begun to.
// params:  palace (string), import_id (string), cycle_seconds (float)
// returns: fresh (bool), cycle (int: of its clock, now)
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (p:Palace {name: $palace})
WITH
  p,
  coalesce(p.importing = $import_id, false)
    OR (p.importing IS NULL AND p.revision = 0 AND coalesce(p.learned, 0) = 0 AND coalesce(p.facts, 0) = 0
      AND NOT EXISTS { (p)-[:CONTAINS|MANAGES]->() }) AS fresh
FOREACH (one IN CASE WHEN fresh THEN [p] ELSE [] END | SET one.importing = $import_id)
RETURN
  fresh,
  p.cycle + toInteger((datetime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * $cycle_seconds)) AS cycle
