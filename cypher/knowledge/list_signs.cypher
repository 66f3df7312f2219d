// list_signs: list what drawers say of some names beside them.
// params:  ids (list of string), most (int: mentions of a name that are looked at)
// returns: id (string), signs (list of {drawer, signs: list of string})
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (e:Entity {id: id})
CALL (e) {
  MATCH (d:Drawer)-[r:REFERENCES]->(e)
  WITH d, r LIMIT $most
  WITH d, r WHERE r.signs IS NOT NULL
  RETURN collect({drawer: d.id, signs: r.signs}) AS signs
}
WITH id, signs WHERE size(signs) > 1
RETURN id, signs
