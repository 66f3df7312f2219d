// load_spellings: load how names are written, in columns of ten thousand.
// params:  palace (string), ids (list of string, or null: all names)
// returns: ids, shown, normalised (lists of string), aliases (list of lists of string)
// runs:    implicit transaction, reads
CALL () {
  MATCH (e:Entity) WHERE $ids IS NULL AND e.palace = $palace AND e.name IS NOT NULL RETURN e
  UNION ALL
  UNWIND $ids AS id
  MATCH (e:Entity {id: id}) RETURN e
}
WITH collect(e) AS every
UNWIND range(0, size(every) - 1, 10000) AS start
WITH every[start..start + 10000] AS part
RETURN
  [e IN part | e.id] AS ids, [e IN part | e.name] AS shown, [e IN part | e.normalised_name] AS normalised,
  [e IN part | coalesce(e.aliases, [])] AS aliases
