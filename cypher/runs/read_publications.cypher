// read_publications: read what is shown of publications, by one of their ids; if several have the same id, the latest.
// params:  palace (string), id_type (string), ids (list of string), parts (list of string)
// returns: id (string), text (string), closet (map), parts (list of [part, text])
// runs:    implicit transaction, reads
CALL () {
  WITH $id_type AS chosen WHERE chosen = 'pub_id'
  MATCH (c:Closet) WHERE c.palace = $palace AND c.pub_id IN $ids
  RETURN c, c.pub_id AS id
  UNION ALL
  WITH $id_type AS chosen WHERE chosen = 'app_id'
  MATCH (c:Closet) WHERE c.palace = $palace AND c.app_id IN $ids
  RETURN c, c.app_id AS id
  UNION ALL
  WITH $id_type AS chosen WHERE chosen = 'exam_id'
  MATCH (c:Closet) WHERE c.palace = $palace AND c.exam_id IN $ids
  RETURN c, c.exam_id AS id
}
WITH c, id ORDER BY coalesce(toString(c.published), '') DESC, c.id
WITH id, head(collect(c)) AS c
RETURN
  id, '' AS text,
  c {.title, .pub_id, .app_id, .exam_id, .family_id, .assignee, .country, published: toString(c.published)} AS closet,
  COLLECT {
    MATCH (c)-[:HAS_DRAWER]->(p:Drawer)
    WHERE head(p.headings) IN $parts
    RETURN [head(p.headings), p.text]
    ORDER BY p.position
  } AS parts
