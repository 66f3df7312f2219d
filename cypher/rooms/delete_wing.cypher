// delete_wing: remove a wing that holds no room any more.
// params:  id (string)
// returns: deleted (int)
// runs:    explicit transaction, safe to repeat
MATCH (w:Wing {id: $id})
WHERE NOT EXISTS { (w)-[:HAS_ROOM]->(:Room) }
DETACH DELETE w
RETURN count(*) AS deleted
