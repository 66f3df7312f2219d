// take_over_palace: give a palace the clock and the counters of an exported one, if it has nothing else; else let its counters be no smaller.
// params:  palace (string), import_id (string), properties (map), revision (int), facts (int)
// returns: taken (bool)
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (p:Palace {name: $palace})
WITH
  p, coalesce(p.importing = $import_id, false) AS fresh,
  CASE WHEN p.revision > $revision THEN p.revision ELSE $revision END AS revision,
  CASE WHEN coalesce(p.facts, 0) >= $facts THEN p.facts ELSE $facts END AS facts
SET p.revision = revision, p.facts = facts
FOREACH (one IN CASE WHEN fresh THEN [p] ELSE [] END | SET one.words_form = NULL, one += $properties)
RETURN fresh AS taken
