// update_drawers: update room, position and metadata of existing drawers; their pheromones and edges stay as they are.
// params:  drawers (list of {id, room_id, room, position, start_line, end_line, headings, author, occurred_at, name, title_words})
// returns: drawers (int)
// runs:    explicit transaction, safe to repeat
UNWIND $drawers AS row
MATCH (d:Drawer {id: row.id})
OPTIONAL MATCH (w:Wing {id: d.wing_id})
WITH d, row, 'title_words' + coalesce('_' + w.analyzer, '') AS title_words
// The title of a document is a name of its drawers. With another title, their names are read again.
WITH d, row, title_words, CASE WHEN d[title_words] = row.title_words THEN d.names_due ELSE d.palace END AS names_due
SET
  d.room_id = row.room_id, d.room = row.room, d.position = row.position, d.start_line = row.start_line, d.end_line = row.end_line,
  d.headings = row.headings, d.author = row.author, d.occurred_at = row.occurred_at,
  d.name = row.name, d[title_words] = row.title_words, d.names_due = names_due
RETURN count(*) AS drawers
