// read_state: read the state of a palace and its clock, and if it is loaded, its changes since a revision.
// params:  palace (string), seen (int), loaded (bool), cycle_seconds (float)
// returns: born (string), revision (int), settled (int), cycle (int), changes (list of {stored, removed, named, nodes, edges})
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $palace})
RETURN
  toString(p.created_at) AS born, p.revision AS revision, p.settled_revision AS settled,
  p.cycle + toInteger((datetime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * $cycle_seconds)) AS cycle,
  COLLECT {
    MATCH (c:Change {palace: $palace})
    WHERE $loaded AND c.revision > $seen
    RETURN {
      stored: c.stored, removed: c.removed, named: coalesce(c.named, []),
      nodes: coalesce(c.nodes, []), edges: coalesce(c.edges, [])
    }
    ORDER BY c.revision
  } AS changes
