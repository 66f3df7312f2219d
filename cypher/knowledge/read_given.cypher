// read_given: read how drawers mention an entity, and which of their mentions were given to other names by hand.
// params:  palace (string), id (string), drawers (list of string)
// returns: drawer (string), names (list of string: normalised), given_names, given_to (lists of string); no row for a drawer that does not mention it
// runs:    explicit transaction that has locked the palace, reads
UNWIND $drawers AS drawer
MATCH (d:Drawer {id: drawer, palace: $palace})-[r:REFERENCES]->(e:Entity {id: $id})
RETURN
  d.id AS drawer, coalesce(r.names, [e.normalised_name]) AS names,
  coalesce(d.given_names, []) AS given_names, coalesce(d.given_to, []) AS given_to
