// note_moved_facts: tell every service that facts moved from name to name, so that it reads all of them again.
// params:  palace (string)
// returns: facts (int: how often the palace's facts were written)
// runs:    explicit transaction that has locked the palace
MATCH (p:Palace {name: $palace})
WITH p, coalesce(p.facts, 0) + 1 AS facts, coalesce(p.facts_forgot, 0) + 1 AS forgot
SET p.facts = facts, p.facts_forgot = forgot
RETURN facts
