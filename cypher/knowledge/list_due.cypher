// list_due: list some drawers whose names are still to be read, with what is known of them.
// params:  palace (string), limit (int)
// returns: id, document (strings: the closet, or the drawer itself if it is a note of a room, which is a document of its own), title, media_type, source_uri, text (strings), aliases, tags, headings (lists of string), author (string or null), stamp (string: differs once the text is changed)
// runs:    implicit transaction, reads
MATCH (d:Drawer {names_due: $palace})
WITH d LIMIT $limit
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
RETURN
  d.id AS id, CASE WHEN c.source_uri STARTS WITH 'notes:' THEN d.id ELSE c.id END AS document, c.title AS title, c.media_type AS media_type,
  coalesce(c.source_uri, '') AS source_uri, coalesce(c.aliases, []) AS aliases, coalesce(c.tags, []) AS tags, d.text AS text,
  coalesce(d.headings, []) AS headings, d.author AS author,
  reduce(
    all = coalesce(toString(d.changed_at), '') + ' ' + c.title, each IN coalesce(c.aliases, []) + coalesce(c.tags, []) | all + ' ' + each
  ) AS stamp
ORDER BY document, d.position
