// count_mentions: count again how many drawers mention each entity of a palace.
// params:  palace (string)
// returns: entities (int)
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (e:Entity)
WHERE e.palace = $palace AND e.name IS NOT NULL
WITH e, COUNT { (e)<-[:REFERENCES]-() } AS mentions
WHERE e.drawer_count <> mentions
SET e.drawer_count = mentions
RETURN count(*) AS entities
