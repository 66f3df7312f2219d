// find_runs: read the runs that ranked some drawers, as far as they name drawers.
// params:  palace (string), drawers (list of string)
// returns: run (map)
// runs:    implicit transaction, reads
MATCH (r:Run)
WHERE r.palace = $palace AND r.expires_at IS NOT NULL AND (
  any(found IN r.ids WHERE found IN $drawers)
  OR r.folded <> '{}' AND any(drawer IN $drawers WHERE r.folded CONTAINS drawer)
)
RETURN r {.id, .recipe, .ids, .scores, .folded, .contributions} AS run
