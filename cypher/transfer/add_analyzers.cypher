// add_analyzers: note that wings of a palace have words for other analyzers than the palace's.
// params:  palace (string), analyzers (list of string)
// returns: analyzers (list of string)
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (p:Palace {name: $palace})
WITH p, coalesce(p.language_analyzers, []) AS known
WITH p, known + [one IN $analyzers WHERE NOT one IN known] AS analyzers
SET p.language_analyzers = analyzers
RETURN analyzers
