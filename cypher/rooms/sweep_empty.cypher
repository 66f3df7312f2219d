// sweep_empty: delete closets without drawers, and rooms without closets that were not created by hand, in a wing.
// params:  palace (string), wing_id (string)
// returns: closets (int), rooms (int)
// runs:    any transaction, safe to repeat; the palace's lock keeps writers from filling a closet that is found empty
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p
CALL () {
  MATCH (c:Closet {palace: $palace, wing_id: $wing_id})
  WHERE NOT EXISTS { (c)-[:HAS_DRAWER]->(:Drawer) }
  DETACH DELETE c
  RETURN count(*) AS closets
}
CALL (closets) {
  MATCH (:Wing {id: $wing_id})-[:HAS_ROOM]->(r:Room)
  WHERE r.found_by <> 'hand' AND NOT EXISTS { (r)-[:HAS_CLOSET]->(:Closet) }
  DETACH DELETE r
  RETURN count(*) AS rooms
}
RETURN closets, rooms
