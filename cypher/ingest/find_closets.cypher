// find_closets: find closets of a wing by the URIs of their sources, or by their ids.
// params:  palace (string), wing_id (string), uris (list of string), ids (list of string)
// returns: id (string), source_uri (string), content_hash (string or null)
// runs:    implicit transaction, reads
MATCH (c:Closet {palace: $palace, wing_id: $wing_id})
WHERE c.source_uri IN $uris OR c.id IN $ids
RETURN c.id AS id, c.source_uri AS source_uri, c.content_hash AS content_hash
ORDER BY id
