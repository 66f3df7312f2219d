// properties_of_drawer: list the names of a drawer's properties.
// params:  id (string)
// returns: names (list of string)
// runs:    implicit transaction, reads
MATCH (d:Drawer {id: $id})
RETURN keys(d) AS names
