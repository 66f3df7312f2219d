// take_due: note that the names of drawers are read, unless another reader did so, or their text was changed meanwhile.
// params:  palace (string), drawers (list of {id, stamp}), version (string: of the recogniser)
// returns: taken (list of string)
// runs:    explicit transaction that has locked the palace
UNWIND $drawers AS row
MATCH (c:Closet)-[:HAS_DRAWER]->(d:Drawer {id: row.id})
WHERE d.names_due = $palace AND coalesce(toString(d.changed_at), '') + ' ' + c.title = row.stamp
SET d.names_read = $version
REMOVE d.names_due
RETURN collect(d.id) AS taken
