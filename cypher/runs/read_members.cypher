// read_members: read what a fusion needs of drawers, by closet; drawers that do not exist are left out.
// params:  palace (string), ids (list of string)
// returns: closet (string), document (string or null): null if each drawer is a document, such as a note, family (string), codes (list of string), drawers (list of string)
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (d:Drawer {id: id})
USING INDEX SEEK d:Drawer(id) // whatever the sizes were when it was planned
WHERE d.palace = $palace
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
WITH c, collect(d.id) AS drawers
RETURN
  c.id AS closet,
  CASE
    WHEN c.pub_id IS NOT NULL THEN 'publication ' + c.pub_id
    WHEN c.source_uri STARTS WITH 'notes:' THEN null
    ELSE c.id
  END AS document,
  coalesce(c.family_id, '') AS family, coalesce(c.codes, []) AS codes, drawers
