// settle_palace: note up to which revision centroids, halls and tunnels follow from the drawers, and rooms were divided.
// params:  palace (string), born (string: when the palace was made), revision (int), divides (bool)
// returns: newer (bool): whether the revision is newer than what was settled; no row if the palace was made anew
// runs:    explicit transaction that holds the palace, before what it announces is written
MATCH (p:Palace {name: $palace})
WHERE toString(p.created_at) = $born
WITH p, p.settled_revision < $revision AS newer, coalesce(p.divided_revision, 0) AS divided
WITH
  p, newer,
  CASE WHEN newer THEN $revision ELSE p.settled_revision END AS settled,
  CASE WHEN $divides AND divided < $revision THEN $revision ELSE divided END AS divided
SET p.settled_revision = settled, p.divided_revision = divided
RETURN newer
