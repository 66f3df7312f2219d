// load_mentions: load which drawers mention which names, in columns of ten thousand.
// params:
// returns: drawers, names (lists of string: ids), is_title (list of bool), success (list of float), cycles (list of int, -1: none)
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
MATCH (:Drawer___PALACE__)-[r:REFERENCES]->(:Entity)
WITH collect(r) AS every
UNWIND range(0, size(every) - 1, 10000) AS start
WITH every[start..start + 10000] AS part
RETURN
  [r IN part | startNode(r).id] AS drawers, [r IN part | endNode(r).id] AS names,
  [r IN part | coalesce(r.is_title, false)] AS is_title,
  [r IN part | coalesce(r.success_pheromone, 0.0)] AS success, [r IN part | coalesce(r.pheromone_cycle, -1)] AS cycles
