// forget_faded: remove some feedback that is so old that it teaches nothing any more; tells the drawers that it called useful.
// params:  palace (string), before (int: cycle), most (int)
// returns: drawers (list of string)
// runs:    explicit transaction
MATCH (old:Feedback)
WHERE old.palace = $palace AND old.cycle < $before
WITH old LIMIT $most
OPTIONAL MATCH (old)-[:USEFUL]->(d:Drawer)
WITH collect(DISTINCT old) AS faded, collect(DISTINCT d.id) AS drawers
FOREACH (old IN faded | DETACH DELETE old)
RETURN drawers
