// load_some_mentions: load which names some drawers mention.
// params:  ids (list of string)
// returns: drawers, names (lists of string: ids), is_title (list of bool), success (list of float), cycles (list of int, -1: none)
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (d:Drawer {id: id})-[r:REFERENCES]->(e:Entity)
RETURN
  collect(d.id) AS drawers, collect(e.id) AS names, collect(coalesce(r.is_title, false)) AS is_title,
  collect(coalesce(r.success_pheromone, 0.0)) AS success, collect(coalesce(r.pheromone_cycle, -1)) AS cycles
