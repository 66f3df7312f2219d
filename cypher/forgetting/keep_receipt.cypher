// keep_receipt: keep what was forgotten, without any text of it.
// params:  palace (string), id (string), by (string or null), kinds (list of string), deleted (int), drawers (list of string), closets (list of string), facts (int), traces (string: JSON)
// returns: id (string); no row if the palace was dropped
// runs:    implicit transaction, safe to repeat
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p
WHERE p.dropped_at IS NULL
MERGE (r:ForgetReceipt {id: $id})
SET
  r.palace = p.name, r.at = datetime(), r.by = $by, r.kinds = $kinds, r.deleted = $deleted, r.drawers = $drawers,
  r.closets = $closets, r.facts = $facts, r.traces = $traces
RETURN r.id AS id
