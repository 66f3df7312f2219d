// create_news: create NEWS_ON edges from drawers to older ones. An edge that is there stays as it is.
// params:  news (list of [id, id of the older one, probability])
// returns: edges (int)
// runs:    explicit transaction after create_drawers, safe to repeat
UNWIND $news AS row
MATCH (newer:Drawer {id: row[0]})
MATCH (older:Drawer {id: row[1]})
MERGE (newer)-[n:NEWS_ON]->(older)
ON CREATE SET n.probability = row[2]
RETURN count(*) AS edges
