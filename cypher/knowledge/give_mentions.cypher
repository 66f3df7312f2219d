// give_mentions: let drawers mention another entity in place of one, and note this decision at the drawers.
// params:  keep (string), target (string), rows (list of {drawer, given_names, given_to: lists of string or null})
// returns: drawers (int)
// runs:    explicit transaction that has locked the palace
MATCH (a:Entity {id: $keep}), (b:Entity {id: $target})
SET a.kept_apart = coalesce(a.kept_apart, []) // it stays even without drawers, so that both can be merged again
WITH a, b
UNWIND $rows AS row
MATCH (d:Drawer {id: row.drawer})-[r:REFERENCES]->(a)
OPTIONAL MATCH (d)-[own:REFERENCES]->(b)
WITH
  b, d, r, own, row, properties(r) AS was, coalesce(own.count, 0) + coalesce(r.count, 0) AS count,
  coalesce(own.titled, r.titled) AS titled, coalesce(own.names, []) + coalesce(r.names, []) AS names,
  coalesce(own.counts, []) + coalesce(r.counts, []) AS counts
FOREACH (both IN CASE WHEN own IS NULL THEN [] ELSE [own] END |
  SET
    both.count = count, both.titled = titled, both.names = names, both.counts = counts,
    both.is_title = coalesce(both.is_title, false) OR coalesce(was.is_title, false)
)
FOREACH (one IN CASE WHEN own IS NULL THEN [d] ELSE [] END |
  CREATE (one)-[moved:REFERENCES]->(b)
  SET moved = was
)
SET d.given_names = row.given_names, d.given_to = row.given_to
DELETE r
RETURN count(*) AS drawers
