// list_references: list the entities of a palace with the drawers that mention them.
// params:  palace (string)
// returns: name (string), drawer_count, drawers (int), references (list of map)
// runs:    implicit transaction, reads
MATCH (e:Entity {palace: $palace})
RETURN
  e.name AS name, e.drawer_count AS drawer_count, COUNT { (e)<-[:REFERENCES]-(:Drawer) } AS drawers,
  COLLECT {
    MATCH (e)<-[r:REFERENCES]-(:Drawer)
    RETURN {
      count: r.count, is_title: r.is_title, names: r.names, counts: r.counts, base_cost: r.base_cost, current_cost: r.current_cost
    }
  } AS references
ORDER BY name
