// take_back: forget a feedback and that its trails were laid; tells the drawers it was about and the success it laid.
// params:  palace (string), id (string), deposit (string)
// returns: drawers (list of string), paths (string): JSON of [type, from, to, amount], answered (string): JSON of {wing, lane, id, amount}, cycle (int), learned (int)
// runs:    explicit transaction
MATCH (p:Palace {name: $palace})
SET p.learned = coalesce(p.learned, 0)
WITH p
MATCH (f:Feedback {id: $id})
WHERE f.palace = $palace
SET p.learned = p.learned + 1, p.forgot = coalesce(p.forgot, 0) + 1
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
