// list_mentions: list the names that some drawers mention: titles first, then those that fewest drawers have.
// params:  palace (string), drawers (list of ids), most (int: names of a drawer)
// returns: drawer (string), names (list of {id, name, entity_type, count, is_title, drawer_count})
// runs:    implicit transaction, reads
UNWIND $drawers AS id
MATCH (d:Drawer {id: id, palace: $palace})
CALL (d) {
  MATCH (d)-[r:REFERENCES]->(e:Entity)
  WITH r, e ORDER BY coalesce(r.is_title, false) DESC, e.drawer_count, r.count DESC, e.normalised_name LIMIT $most
  RETURN collect({
    id: e.id, name: e.name, entity_type: e.entity_type, count: coalesce(r.count, 0),
    is_title: coalesce(r.is_title, false), drawer_count: e.drawer_count
  }) AS names
}
RETURN d.id AS drawer, names
