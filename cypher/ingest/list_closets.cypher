// list_closets: list the sources of a wing that are stored completely, with the room that their folder was given and whether headings gave them rooms.
// params:  palace (string), wing_id (string)
// returns: id (string), source_uri (string), content_hash (string or null), folder_room (string or null), has_chapters (bool)
// runs:    implicit transaction, reads
MATCH (c:Closet {palace: $palace, wing_id: $wing_id})
RETURN
  c.id AS id, c.source_uri AS source_uri, c.content_hash AS content_hash,
  head(COLLECT { MATCH (r:Room)-[:HAS_CLOSET]->(c) WHERE r.found_by = 'folder' RETURN r.name ORDER BY r.name }) AS folder_room,
  EXISTS { MATCH (r:Room)-[:HAS_CLOSET]->(c) WHERE r.found_by = 'heading' } AS has_chapters
