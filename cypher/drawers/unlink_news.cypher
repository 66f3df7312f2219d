// unlink_news: delete what was supposed of a drawer's text being news, in both directions. What somebody said stays.
// params:  id (string)
// returns: newer (list of string): drawers that were supposed to be news on it
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (d:Drawer {id: $id})
OPTIONAL MATCH (d)-[n:NEWS_ON]-(:Drawer)
WHERE n.said IS NULL
WITH n, CASE WHEN endNode(n) = d THEN startNode(n).id END AS newer
DELETE n
RETURN collect(newer) AS newer
