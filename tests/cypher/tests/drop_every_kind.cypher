UNWIND range(1, 5) AS number
MATCH (n {id: $palace + '-' + number})
DETACH DELETE n
