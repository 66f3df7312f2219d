// load_some_mentions: load which names some drawers mention.
// params:  ids (list of string)
// returns: drawers, names (lists of string: ids), is_title (list of bool), success (list of float), cycles (list of int, -1: none)
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (d:Drawer {id: id})-[r:REFERENCES]->(e:Entity)
WITH
  id, e.id AS name, coalesce(r.is_title, false) AS is_title, coalesce(r.success_pheromone, 0.0) AS success,
  coalesce(r.pheromone_cycle, -1) AS cycle
WHERE name IS NOT NULL // it is null if somebody deletes the name meanwhile
RETURN
  collect(id) AS drawers, collect(name) AS names, collect(is_title) AS is_title, collect(success) AS success,
  collect(cycle) AS cycles
