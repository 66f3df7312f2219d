// count_lone_facts: count the known facts that were read only from some drawers.
// params:  palace (string), drawers (list of string)
// returns: facts (int)
// runs:    implicit transaction, reads
UNWIND $drawers AS id
MATCH (d:Drawer {id: id, palace: $palace})
UNWIND coalesce(d.facts, []) AS fact
WITH DISTINCT fact
MATCH ()-[e:RELATES_TO {id: fact}]->()
WHERE e.invalidated_at IS NULL AND NOT e.stated AND all(drawer IN e.drawers WHERE drawer IN $drawers)
RETURN count(e) AS facts
