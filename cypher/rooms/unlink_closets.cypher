// unlink_closets: unlink closets from rooms that no longer have a drawer of theirs.
// params:  closets (list of string)
// returns: edges (int)
// runs:    explicit transaction, safe to repeat
UNWIND $closets AS id
MATCH (c:Closet {id: id})<-[e:HAS_CLOSET]-(r:Room)
WHERE NOT EXISTS { MATCH (c)-[:HAS_DRAWER]->(d:Drawer) WHERE d.room_id = r.id }
DELETE e
RETURN count(*) AS edges
