// forget_faded: remove some feedback that is so old that it teaches nothing any more.
// params:  palace (string), before (int: cycle), most (int)
// returns: forgotten (int)
// runs:    explicit transaction
MATCH (old:Feedback)
WHERE old.palace = $palace AND old.cycle < $before
WITH old LIMIT $most
DETACH DELETE old
RETURN count(*) AS forgotten
