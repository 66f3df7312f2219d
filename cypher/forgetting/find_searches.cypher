// find_searches: read the kept searches that found some drawers, as far as they name drawers.
// params:  palace (string), drawers (list of string)
// returns: search (map)
// runs:    implicit transaction, reads
MATCH (s:Search)
WHERE s.palace = $palace AND (
  any(found IN s.candidates WHERE found IN $drawers)
  OR s.names <> '{}' AND any(drawer IN $drawers WHERE s.names CONTAINS drawer)
)
RETURN s {.id, .query, .candidates, .evidence, .shown, .log_odds, .answer_log_odds, .other_lanes, .other_evidence, .shares, .trails, .names} AS search
