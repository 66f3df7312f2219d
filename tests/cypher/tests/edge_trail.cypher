MATCH (a {id: $source})-[e]->(b {id: $target})
RETURN properties(e) AS e
