// settle_palace: record the revision for which centroids, halls and tunnels are computed, and up to which rooms were divided.
// params:  palace (string), born (string: when the palace was created), revision (int), divides (bool)
// returns: newer (bool): whether the revision is newer than what was settled; no row if the palace was dropped and created again
// runs:    explicit transaction that has locked the palace, before the settled rooms are written
MATCH (p:Palace {name: $palace})
WHERE toString(p.created_at) = $born
WITH p, p.settled_revision < $revision AS newer, coalesce(p.divided_revision, 0) AS divided
WITH
  p, newer,
  CASE WHEN newer THEN $revision ELSE p.settled_revision END AS settled,
  CASE WHEN $divides AND divided < $revision THEN $revision ELSE divided END AS divided
SET p.settled_revision = settled, p.divided_revision = divided
RETURN newer
