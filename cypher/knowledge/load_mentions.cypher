// load_mentions: load which drawers mention the names of a palace, in columns of at most five thousand, and how these names are written.
// params:  palace (string)
// returns: ids, shown, normalised (lists of string), aliases (list of lists of string): of a thousand names, which several rows may have; drawers (list of string: ids), names (list of int: places in `ids`), is_title (list of bool), success (list of float), cycles (list of int, -1: none): of their mentions
// runs:    implicit transaction, reads
MATCH (e:Entity)
WHERE e.palace = $palace AND e.name IS NOT NULL
WITH collect(e) AS every
UNWIND range(0, size(every) - 1, 1000) AS start
WITH every[start..start + 1000] AS part
CALL (part) {
  UNWIND range(0, size(part) - 1) AS at
  WITH at, part[at] AS e
  MATCH (d:Drawer)-[r:REFERENCES]->(e)
  WITH
    d.id AS drawer, at, coalesce(r.is_title, false) AS is_title, coalesce(r.success_pheromone, 0.0) AS success,
    coalesce(r.pheromone_cycle, -1) AS cycle
  WHERE drawer IS NOT NULL // it is null if somebody deletes the drawer meanwhile
  RETURN
    collect(drawer) AS drawers, collect(at) AS names, collect(is_title) AS is_title, collect(success) AS success,
    collect(cycle) AS cycles
}
UNWIND range(0, size(drawers) - 1, 5000) AS first
RETURN
  [e IN part | e.id] AS ids, [e IN part | e.name] AS shown, [e IN part | e.normalised_name] AS normalised,
  [e IN part | coalesce(e.aliases, [])] AS aliases,
  drawers[first..first + 5000] AS drawers, names[first..first + 5000] AS names,
  is_title[first..first + 5000] AS is_title, success[first..first + 5000] AS success, cycles[first..first + 5000] AS cycles
