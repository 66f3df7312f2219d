// refuse_news: say that no drawer is news on a drawer. The edges stay with a probability of 0, so that they do not come back.
// params:  palace (string), old (string)
// returns: newer (string), the most probable first
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (p:Palace {name: $palace})
MATCH (newer:Drawer)-[n:NEWS_ON]->(old:Drawer {id: $old})
WHERE old.palace = $palace AND n.probability > 0
WITH p, newer, n, n.probability AS was, coalesce(n.supposed, n.probability) AS supposed, coalesce(n.said, false) AS said
WITH
  p, collect({edge: n, newer: newer.id, was: was, supposed: supposed}) AS refused,
  sum(CASE WHEN said THEN was ELSE supposed END) AS wrong,
  sum(CASE WHEN said THEN 0.0 ELSE supposed * (1.0 - supposed) END) AS doubted
WITH p, refused, coalesce(p.news_surprise, 0.0) - wrong AS surprise, coalesce(p.news_doubt, 0.0) + doubted AS doubt
SET p.news_surprise = surprise, p.news_doubt = doubt // see learned_log_odds
WITH refused
UNWIND refused AS each
WITH each, each.edge AS n
SET n.supposed = each.supposed, n.probability = 0.0, n.said = true
RETURN each.newer AS newer ORDER BY each.was DESC, newer
