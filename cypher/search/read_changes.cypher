// read_changes: read the state of a palace and its learning, its number of drawers, and if it is loaded, its changes since a revision.
// params:  palace (string), seen (int), loaded (bool)
// returns: born (string), learned (int), forgot (int), cycle (int: when its clock was set), since_ms (int: since then), revision (int), model (string), dimension (int), drawers (int), facts (int), facts_forgot (int), changes (list of {revision, stored, removed})
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
MATCH (p:Palace {name: $palace})
RETURN
  toString(p.created_at) AS born, coalesce(p.learned, 0) AS learned, coalesce(p.forgot, 0) AS forgot,
  p.cycle AS cycle, datetime().epochMillis - p.cycle_started_at.epochMillis AS since_ms, p.revision AS revision,
  p.embedding_model AS model, p.embedding_dimension AS dimension,
  COUNT { MATCH (:Drawer___PALACE__) } AS drawers, coalesce(p.facts, 0) AS facts,
  coalesce(p.facts_forgot, 0) AS facts_forgot,
  COLLECT {
    MATCH (c:Change {palace: $palace})
    WHERE $loaded AND c.revision > $seen
    RETURN {revision: c.revision, stored: c.stored, removed: c.removed}
    ORDER BY c.revision
  } AS changes
