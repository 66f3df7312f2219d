// read_places: read where drawers stand, their texts with the earlier ones, and how many entries of diaries are kept in them.
// params:  palace (string), drawers (list of string)
// returns: id, wing_id, wing, room, closet (strings), texts (list of string), diary (int)
// runs:    implicit transaction, reads
UNWIND $drawers AS id
MATCH (d:Drawer {id: id})
WHERE d.palace = $palace
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
RETURN
  d.id AS id, d.wing_id AS wing_id, d.wing AS wing, d.room AS room, c.title AS closet,
  [d.text] + COLLECT { MATCH (d)-[:HAD_TEXT]->(v:DrawerText) RETURN v.text } AS texts,
  COUNT { (:DiaryEntry)-[:KEPT_IN]->(d) } AS diary
