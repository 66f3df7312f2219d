// read_members: what a fusion needs to know of drawers, closet by closet; drawers that are not there are left out.
// params:  palace (string), ids (list of string)
// returns: closet (string), document (string or null): null where each drawer is a document, as notes are, family (string), codes (list of string), drawers (list of string)
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (d:Drawer {id: id})
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
