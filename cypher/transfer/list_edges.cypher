// list_edges: every relationship of one type between two labels of a palace, with all that it has.
// params:  palace (string), source, target (strings, placed as literals: labels), from, to (strings, placed as literals: properties that identify the ends), sourceindexed, sourcealso, targetindexed, targetalso (strings, placed as literals: properties of their indexes), type (string, placed as a literal)
// returns: source (string), target (string), properties (map)
// runs:    implicit transaction, reads
MATCH (a:__SOURCE__)-[r:__TYPE__]->(b:__TARGET__)
WHERE
  a.palace = $palace AND a.__SOURCEINDEXED__ IS NOT NULL AND a.__SOURCEALSO__ IS NOT NULL
  AND b.palace = $palace AND b.__TARGETINDEXED__ IS NOT NULL AND b.__TARGETALSO__ IS NOT NULL
RETURN a.__FROM__ AS source, b.__TO__ AS target, properties(r) AS properties
