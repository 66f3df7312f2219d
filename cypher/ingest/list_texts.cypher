// list_texts: list the texts that some closets have.
// params:  ids (list of string)
// returns: id (string), texts (list of string)
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (c:Closet {id: id})
RETURN c.id AS id, COLLECT { MATCH (c)-[:HAS_DRAWER]->(d:Drawer) RETURN d.text } AS texts
