// list_texts: a page of drawers with all words by which a person could know them, in the order of their ids.
// params:  palace (string), after (string), limit (int)
// returns: id (string), texts (list of string): text, earlier texts, title, headings, author, name in code
// runs:    implicit transaction, reads
MATCH (d:Drawer)
WHERE d.id > $after AND d.palace = $palace
WITH d ORDER BY d.id LIMIT $limit
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
RETURN
  d.id AS id,
  [d.text, c.title] + coalesce(d.headings, [])
    + [one IN [d.author, d.name] WHERE one IS NOT NULL]
    + COLLECT { MATCH (d)-[:HAD_TEXT]->(v:DrawerText) RETURN v.text } AS texts
ORDER BY id
