// finish_import: let every process that has the palace in memory read it anew. A palace that took over all of an export is as settled as the exported one.
// params:  palace (string), import_id (string), unsettled (bool: whether rooms are to be settled again in any case)
// returns: revision (int)
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (p:Palace {name: $palace})
WITH
  p, p.revision AS last, coalesce(p.settled_revision, 0) AS settled, coalesce(p.divided_revision, 0) AS divided,
  coalesce(p.importing = $import_id, false) AS alone
WITH
  p, last, settled, divided, alone, alone AND NOT $unsettled AS same,
  CASE WHEN alone THEN p.forgot ELSE coalesce(p.forgot, 0) + 1 END AS forgot,
  CASE WHEN alone THEN p.facts ELSE coalesce(p.facts, 0) + 1 END AS facts,
  CASE WHEN alone THEN p.facts_forgot ELSE coalesce(p.facts_forgot, 0) + 1 END AS facts_forgot
// Two more, without an entry in the change feed: who follows it sees the gap.
SET
  p.revision = last + 2,
  p.settled_revision = CASE WHEN same AND settled >= last THEN last + 2 ELSE settled END,
  p.divided_revision = CASE WHEN same AND divided >= last THEN last + 2 ELSE divided END,
  p.forgot = forgot, p.facts = facts, p.facts_forgot = facts_forgot
// Another version may have made the words that join those of a palace.
FOREACH (one IN CASE WHEN alone THEN [] ELSE [p] END | SET one.words_form = NULL)
REMOVE p.importing, p.words_renewed_to
RETURN p.revision AS revision
