// list_history: the earlier texts of a drawer, the latest first.
// params:  palace (string), id (string)
// returns: texts (list of {text, since, until}); no row if the drawer is not in the palace
// runs:    implicit transaction, reads
MATCH (d:Drawer {id: $id})
WHERE d.palace = $palace
RETURN COLLECT {
  MATCH (d)-[:HAD_TEXT]->(v:DrawerText)
  WITH v ORDER BY v.until DESC, v.id
  RETURN {text: v.text, since: toString(v.since), until: toString(v.until)}
} AS texts
