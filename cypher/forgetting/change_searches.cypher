// change_searches: take drawers out of kept searches, and delete others.
// params:  changed (list of {id, properties}), deleted (list of string)
// returns: searches (int)
// runs:    explicit transaction that has locked the palace
CALL () {
  UNWIND $changed AS row
  MATCH (s:Search {id: row.id})
  SET s += row.properties
  RETURN count(s) AS changed
}
CALL () {
  UNWIND $deleted AS id
  MATCH (s:Search {id: id})
  DETACH DELETE s
  RETURN count(*) AS deleted
}
RETURN changed + deleted AS searches
