// load_spellings: load how some names are written.
// params:  ids (list of string)
// returns: ids, shown, normalised (lists of string), aliases (list of lists of string)
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (e:Entity {id: id})
WITH id, e.name AS shown, e.normalised_name AS normalised, coalesce(e.aliases, []) AS aliases
WHERE shown IS NOT NULL AND normalised IS NOT NULL // they are null if somebody deletes the name meanwhile
RETURN
  collect(id) AS ids, collect(shown) AS shown, collect(normalised) AS normalised, collect(aliases) AS aliases
