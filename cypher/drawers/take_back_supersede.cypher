// take_back_supersede: let a drawer count again that another one had taken the place of.
// params:  palace (string), old (string)
// returns: new (string): the other one; no row if there is none
// runs:    explicit transaction that has locked the palace
MATCH (p:Palace {name: $palace})
MATCH (old:Drawer {id: $old})-[r:REPLACED_BY]->(new:Drawer)
WHERE old.palace = $palace
WITH p, r, new.id AS new, coalesce(p.facts, 0) + 1 AS facts, coalesce(p.facts_forgot, 0) + 1 AS forgot
SET p.facts = facts, p.facts_forgot = forgot
DELETE r
RETURN new
