// read_drawers: read drawers with their closets, rooms and wings; ids that are not in the palace give no row.
// params:  palace (string), ids (list of string)
// returns: drawer (map)
// runs:    implicit transaction, reads
UNWIND $ids AS id
MATCH (d:Drawer {id: id})
WHERE d.palace = $palace
MATCH (c:Closet)-[:HAS_DRAWER]->(d)
MATCH (w:Wing)-[:HAS_ROOM]->(r:Room {id: d.room_id})
RETURN {
  id: d.id, name: d.name, text: d.text, position: d.position, start_line: d.start_line, end_line: d.end_line, headings: d.headings,
  author: d.author, occurred_at: toString(d.occurred_at), created_at: toString(d.created_at), importance: d.importance,
  wing_id: w.id, wing: w.name, room_id: r.id, room: r.name, hall_type: r.hall_type,
  closet_id: c.id, closet: c.title, source_uri: c.source_uri, media_type: c.media_type,
  tags: coalesce(c.tags, []), aliases: coalesce(c.aliases, []),
  codes: coalesce(c.codes, []), pub_id: c.pub_id, app_id: c.app_id, exam_id: c.exam_id, family_id: c.family_id,
  assignee: c.assignee, country: c.country, published: toString(c.published)
} AS drawer
