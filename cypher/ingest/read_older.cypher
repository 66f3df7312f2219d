// read_older: read the beginnings of older texts that new drawers may be news on. Texts of one document are never news on each other; notes of a room are no document.
// params:  news (list of {id, older: list of string, the nearest first})
// returns: id (string), older (string), text (string), in the order of `older`; surprise, doubt (floats: of the palace, as supersede sums them)
// runs:    explicit transaction after create_drawers, reads
UNWIND $news AS row
MATCH (c:Closet)-[:HAS_DRAWER]->(d:Drawer {id: row.id})
UNWIND range(0, size(row.older) - 1) AS at
MATCH (old:Drawer {id: row.older[at]})
MATCH (other:Closet)-[:HAS_DRAWER]->(old)
WHERE old.wing_id = d.wing_id AND old <> d AND (other <> c OR c.source_uri STARTS WITH 'notes:')
MATCH (p:Palace {name: d.palace})
WITH p, d, old, at ORDER BY at
RETURN
  d.id AS id, old.id AS older, left(old.text, 4000) AS text,
  coalesce(p.news_surprise, 0.0) AS surprise, coalesce(p.news_doubt, 0.0) AS doubt
