// list_drawers_without_words: list some drawers that were stored before the search had its own words.
// params:  palace (string), limit (int)
// returns: id (string), text (string), title (string), labels (list of string: aliases and tags of its document)
// runs:    implicit transaction, reads
MATCH (c:Closet)-[:HAS_DRAWER]->(d:Drawer___PALACE__)
USING SCAN d:Drawer___PALACE__
WHERE d.palace = $palace AND d.words IS NULL
RETURN d.id AS id, d.text AS text, coalesce(c.title, '') AS title,
  coalesce(c.aliases, []) + coalesce(c.tags, []) AS labels
LIMIT $limit
