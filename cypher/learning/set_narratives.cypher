// set_narratives: store the memories of drawers; a memory without strength is removed.
// params:  narratives (list of {drawer, vector, strength, cycle})
// returns: written (int)
// runs:    explicit transaction, safe to repeat
UNWIND $narratives AS row
MATCH (d:Drawer {id: row.drawer})
SET
  d.narrative_vector = CASE WHEN row.strength > 0 THEN row.vector END,
  d.narrative_strength = CASE WHEN row.strength > 0 THEN row.strength END,
  d.narrative_cycle = CASE WHEN row.strength > 0 THEN row.cycle END
RETURN count(*) AS written
