// take_due: note that the names of drawers are read, unless another reader did so, or their text was changed meanwhile.
// params:  palace (string), drawers (list of {id, stamp}), version (string: of the recogniser)
// returns: taken (list of string), given (list of {id, names, to: lists of string}): the mentions in them that were given to other names by hand
// runs:    explicit transaction that has locked the palace
UNWIND $drawers AS row
MATCH (c:Closet)-[:HAS_DRAWER]->(d:Drawer {id: row.id})
WHERE d.names_due = $palace AND reduce(
  all = coalesce(toString(d.changed_at), '') + ' ' + c.title, each IN coalesce(c.aliases, []) + coalesce(c.tags, []) | all + ' ' + each
) = row.stamp
SET d.names_read = $version
REMOVE d.names_due
RETURN
  collect(d.id) AS taken,
  collect(CASE WHEN d.given_names IS NOT NULL THEN {id: d.id, names: d.given_names, to: d.given_to} END) AS given
