// take_back: forget a feedback and that its trails were laid; tells the drawers it was about and the success it laid.
// params:  palace (string), id (string), deposit (string)
// returns: drawers (list of string), paths (string): JSON of [type, from, to, amount], answered (string): JSON of {wing, lane, id, amount}, cycle (int), learned (int)
// runs:    explicit transaction
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // a palace has none: this only takes its lock
WITH p, coalesce(p.learned, 0) + 1 AS next, coalesce(p.forgot, 0) + 1 AS forgot
MATCH (f:Feedback {id: $id})
WHERE f.palace = $palace
SET p.learned = next, p.forgot = forgot
WITH
  p.learned AS learned, f, f.cycle AS cycle, f.paths AS paths, f.answered AS answered,
  COLLECT { MATCH (f)-[:USEFUL]->(d:Drawer) RETURN d.id } AS drawers
DETACH DELETE f
WITH learned, cycle, paths, answered, drawers
CALL () {
  MATCH (laid:Deposit {id: $deposit})
  DELETE laid
}
RETURN drawers, paths, answered, cycle, learned
