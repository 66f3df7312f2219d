// list_similar: list the SIMILAR_TO edges of some drawers.
// params:  ids (list of string)
// returns: id (string), other (string)
// runs:    explicit transaction that has locked the palace
UNWIND $ids AS id
MATCH (d:Drawer {id: id})-[:SIMILAR_TO]-(o:Drawer)
RETURN d.id AS id, o.id AS other
