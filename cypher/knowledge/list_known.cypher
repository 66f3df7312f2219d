// list_known: list the names that the last drawers of some closets have, for names that other drawers of them shorten.
// params:  closets (list of string), drawers (int: of each closet)
// returns: closet (string), names (list of {name, entity_type})
// runs:    implicit transaction, reads
UNWIND $closets AS id
MATCH (c:Closet {id: id})
CALL (c) {
  MATCH (c)-[:HAS_DRAWER]->(d:Drawer)
  WHERE d.names_due IS NULL
  WITH d ORDER BY d.position DESC LIMIT $drawers
  MATCH (d)-[:REFERENCES]->(e:Entity)
  WITH DISTINCT e
  RETURN collect({name: e.name, entity_type: e.entity_type}) AS names
}
RETURN id AS closet, names
