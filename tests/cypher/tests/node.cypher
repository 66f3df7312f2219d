MATCH (n {id: $id})
RETURN properties(n) AS n
