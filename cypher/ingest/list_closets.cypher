// list_closets: list the sources of a wing that are stored completely.
// params:  palace (string), wing_id (string)
// returns: id (string), source_uri (string), content_hash (string or null)
// runs:    implicit transaction, reads
MATCH (c:Closet {palace: $palace, wing_id: $wing_id})
RETURN c.id AS id, c.source_uri AS source_uri, c.content_hash AS content_hash
