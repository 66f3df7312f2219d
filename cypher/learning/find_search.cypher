// find_search: read what a search showed; no row if it is not in the palace.
// params:  palace (string), id (string)
// returns: search (map)
// runs:    implicit transaction, reads
MATCH (s:Search {id: $id})
WHERE s.palace = $palace
RETURN properties(s) AS search
