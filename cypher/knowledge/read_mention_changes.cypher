// read_mention_changes: read which drawers have other names, or other pheromones on them, since a revision of the palace.
// params:  palace (string), seen (int), loaded (bool)
// returns: born (string), revision (int), cycle (int), changes (list of {removed, named, edges})
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $palace})
RETURN
  toString(p.created_at) AS born, p.revision AS revision, p.cycle AS cycle,
  COLLECT {
    MATCH (c:Change {palace: $palace})
    WHERE $loaded AND c.revision > $seen
    RETURN {removed: c.removed, named: coalesce(c.named, []), edges: coalesce(c.edges, [])}
    ORDER BY c.revision
  } AS changes
