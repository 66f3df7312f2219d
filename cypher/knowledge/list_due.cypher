// list_due: list some drawers whose names are still to be read, with what is known of them.
// params:  palace (string), limit (int)
// returns: id, closet (strings), title, media_type, text (strings), headings (list of string), author (string or null), stamp (string: differs once the text is changed)
// runs:    implicit transaction, reads
MATCH (d:Drawer {names_due: $palace})
WITH d LIMIT $limit
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
RETURN
  d.id AS id, c.id AS closet, c.title AS title, c.media_type AS media_type, d.text AS text,
  coalesce(d.headings, []) AS headings, d.author AS author,
  coalesce(toString(d.changed_at), '') + ' ' + c.title AS stamp
ORDER BY closet, d.position
