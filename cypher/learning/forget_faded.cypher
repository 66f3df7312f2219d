// forget_faded: delete some feedback that has faded; return the drawers and callers' documents that it judged.
// params:  palace (string), before (int: cycle), most (int)
// returns: drawers (list of string), documents (list of string)
// runs:    explicit transaction
MATCH (old:Feedback)
WHERE old.palace = $palace AND old.cycle < $before
WITH old LIMIT $most
OPTIONAL MATCH (old)-[:USEFUL|USELESS]->(judged)
WITH
  collect(DISTINCT old) AS faded,
  collect(DISTINCT CASE WHEN judged:Drawer THEN judged.id END) AS drawers,
  collect(DISTINCT CASE WHEN judged:CallerDocument THEN judged.id END) AS documents
FOREACH (old IN faded | DETACH DELETE old)
RETURN drawers, documents
