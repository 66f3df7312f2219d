// raise_revisions: let all palaces have a later revision that is not in their change feeds, so that every process that has one in memory reads it anew.
// params:
// returns: palaces (int)
// runs:    implicit transaction
MATCH (p:Palace)
WITH p, p.revision AS last, coalesce(p.settled_revision, 0) AS settled, coalesce(p.divided_revision, 0) AS divided
SET
  p.revision = last + 2,
  p.settled_revision = CASE WHEN settled >= last THEN last + 2 ELSE settled END,
  p.divided_revision = CASE WHEN divided >= last THEN last + 2 ELSE divided END
RETURN count(*) AS palaces
