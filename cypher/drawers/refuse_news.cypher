// refuse_news: say that no drawer is news on a drawer. The edges stay with a probability of 0, so that they do not come back.
// params:  palace (string), old (string)
// returns: newer (string), the most probable first
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (newer:Drawer)-[n:NEWS_ON]->(old:Drawer {id: $old})
WHERE old.palace = $palace AND n.probability > 0
WITH newer, n, n.probability AS probability
SET n.probability = 0.0, n.said = true
RETURN newer.id AS newer ORDER BY probability DESC, newer
