// list_words: list the words of some drawers, in the order of their ids, with what these are made from.
// params:  palace (string), after (string), limit (int)
// returns: id (string), text (string), name (string or null), title (string), number (string or null), labels (list of string: aliases and tags of its document), property (string or null: where the words are), words (string or null), title_words (string or null)
// runs:    explicit transaction that has locked the palace, reads
MATCH (p:Palace {name: $palace})
WITH ['words'] + [analyzer IN coalesce(p.language_analyzers, []) | 'words_' + analyzer] AS properties
MATCH (d:Drawer)
WHERE d.id > $after AND d.palace = $palace
WITH properties, d
ORDER BY d.id
LIMIT $limit
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
WITH c, d, head([name IN properties WHERE d[name] IS NOT NULL]) AS property
RETURN
  d.id AS id, d.text AS text, d.name AS name, coalesce(c.title, '') AS title, c.pub_id AS number,
  coalesce(c.aliases, []) + coalesce(c.tags, []) AS labels, property,
  d[property] AS words, d['title_' + property] AS title_words
ORDER BY id
