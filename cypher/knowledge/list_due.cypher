// list_due: list some drawers whose names are still to be read, with what is known of them.
// params:  palace (string), limit (int)
// returns: id, document (strings: the closet, or the drawer itself if it is a note of a room, which is a document of its own), title, media_type, text (strings), headings (list of string), author (string or null), stamp (string: differs once the text is changed)
// runs:    implicit transaction, reads
MATCH (d:Drawer {names_due: $palace})
WITH d LIMIT $limit
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
RETURN
  d.id AS id, CASE WHEN c.source_uri STARTS WITH 'notes:' THEN d.id ELSE c.id END AS document, c.title AS title, c.media_type AS media_type, d.text AS text,
  coalesce(d.headings, []) AS headings, d.author AS author,
  coalesce(toString(d.changed_at), '') + ' ' + c.title AS stamp
ORDER BY document, d.position
