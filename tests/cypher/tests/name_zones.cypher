// name_zones: give every time of a palace the name of its zone, as imports once did.
// params:  palace (string)
// returns: named (int)
// runs:    implicit transaction
CALL () {
  MATCH (n) WHERE $palace IN [n.palace, n.name] RETURN n AS part
  UNION ALL
  MATCH (a)-[part]->() WHERE a.palace = $palace RETURN part
}
UNWIND keys(part) AS key
WITH part, key WHERE CASE WHEN part[key] IS :: ZONED DATETIME NOT NULL THEN part[key].offset = 'Z' ELSE false END
SET part[key] = datetime({datetime: part[key], timezone: 'UTC'})
RETURN count(*) AS named
