// load_spellings: load how some names are written.
// params:  ids (list of string)
// returns: ids, shown, normalised (lists of string), aliases (list of lists of string)
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (e:Entity {id: id})
RETURN
  collect(e.id) AS ids, collect(e.name) AS shown, collect(e.normalised_name) AS normalised,
  collect(coalesce(e.aliases, [])) AS aliases
