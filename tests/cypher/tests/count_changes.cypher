// count_changes: entries of the change feed of a palace, its drawers, and those of them that are in a closet.
// params:  palace (string)
// returns: changes (int), drawers (int), placed (int)
// runs:    implicit transaction, reads
RETURN
  COUNT { MATCH (c:Change) WHERE c.palace = $palace } AS changes,
  COUNT { MATCH (d:Drawer) WHERE d.palace = $palace } AS drawers,
  COUNT { MATCH (:Closet)-[:HAS_DRAWER]->(d:Drawer) WHERE d.palace = $palace } AS placed
