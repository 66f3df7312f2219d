// read_documents: read what snippets show of drawers and their closets.
// params:  palace (string), ids (list of string), parts (list of string)
// returns: id (string), text (string), closet (map), parts (list of [part, text])
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (d:Drawer {id: id})
WHERE d.palace = $palace
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
RETURN
  d.id AS id, d.text AS text,
  c {.title, .pub_id, .app_id, .exam_id, .family_id, .assignee, .country, published: toString(c.published)} AS closet,
  COLLECT {
    MATCH (c)-[:HAS_DRAWER]->(p:Drawer)
    WHERE head(p.headings) IN $parts
    RETURN [head(p.headings), p.text]
    ORDER BY p.position
  } AS parts
