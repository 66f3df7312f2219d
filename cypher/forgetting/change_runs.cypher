// change_runs: take drawers out of runs, and delete other runs.
// params:  changed (list of {id, properties}), deleted (list of string)
// returns: runs (int)
// runs:    explicit transaction that has locked the palace
CALL () {
  UNWIND $changed AS row
  MATCH (r:Run {id: row.id})
  SET r += row.properties
  RETURN count(r) AS changed
}
CALL () {
  UNWIND $deleted AS id
  MATCH (r:Run {id: id})
  DETACH DELETE r
  RETURN count(*) AS deleted
}
RETURN changed + deleted AS runs
