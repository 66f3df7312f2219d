// times: every time of the nodes and facts of a palace, as Neo4j writes it.
// params:  palace (string)
// returns: what (string: label or type, id and property), time (string)
// runs:    implicit transaction, reads
CALL () {
  MATCH (n) WHERE $palace IN [n.palace, n.name] AND NOT n:Change RETURN n AS part, head(labels(n)) + ' ' + coalesce(n.id, '') AS what
  UNION ALL
  MATCH (a)-[r]->(b) WHERE a.palace = $palace RETURN r AS part, a.id + ' ' + type(r) + ' ' + coalesce(b.id, '') AS what
}
UNWIND keys(part) AS key
WITH part, what, key WHERE part[key] IS :: ZONED DATETIME NOT NULL
RETURN what + ' ' + key AS what, toString(part[key]) AS time
ORDER BY what, time
