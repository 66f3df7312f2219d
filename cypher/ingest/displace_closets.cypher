// displace_closets: delete closets without their drawers, and return these, because another closet has their source now.
// params:  palace (string), ids (list of string), uris (list of string: sources that the closets must still have)
// returns: drawers (list of string)
// runs:    explicit transaction that has locked the palace; the drawers are to be deleted in it
UNWIND range(0, size($ids) - 1) AS at
MATCH (c:Closet {id: $ids[at], palace: $palace})
WHERE c.source_uri = $uris[at]
OPTIONAL MATCH (c)-[:HAS_DRAWER]->(d:Drawer)
WITH c, collect(d.id) AS drawers
DETACH DELETE c
RETURN drawers
