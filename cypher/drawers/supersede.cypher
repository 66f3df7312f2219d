// supersede: say that a drawer takes the place of another from a moment on, and so is news on it. Another one that did so before no longer does.
// params:  palace (string), old (string), new (string), at (datetime)
// returns: since (string); no row if one of the two is not in the palace
// runs:    explicit transaction that has locked the palace
MATCH (p:Palace {name: $palace})
MATCH (old:Drawer {id: $old}), (new:Drawer {id: $new})
WHERE old.palace = $palace AND new.palace = $palace
WITH p, old, new, coalesce(p.facts, 0) + 1 AS facts, coalesce(p.facts_forgot, 0) + 1 AS forgot
SET p.facts = facts, p.facts_forgot = forgot // all replicas then read it together, as they read facts
WITH p, old, new
OPTIONAL MATCH (old)-[before:REPLACED_BY]->()
DELETE before
WITH DISTINCT p, old, new
CREATE (old)-[r:REPLACED_BY {palace: $palace, since: $at}]->(new)
MERGE (new)-[n:NEWS_ON]->(old)
WITH p, r, n, coalesce(n.supposed, n.probability, 0.1) AS supposed, coalesce(n.said, false) AS said, n.probability AS was
WITH
  p, r, n, supposed,
  coalesce(p.news_surprise, 0.0) + 1.0 - CASE WHEN said THEN was ELSE supposed END AS surprise,
  coalesce(p.news_doubt, 0.0) + CASE WHEN said THEN 0.0 ELSE supposed * (1.0 - supposed) END AS doubt
SET p.news_surprise = surprise, p.news_doubt = doubt // see learned_log_odds
SET n.supposed = supposed, n.probability = 1.0, n.said = true
RETURN toString(r.since) AS since
