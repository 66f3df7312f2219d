// create_drawers: create new drawers of closets that this transaction has locked.
// params:  palace (string), base_cost (float), closets (list of {id, drawers: list of {id, wing_id, wing, room_id, room, text, words, title_words, name, pointer_share, position, start_line, end_line, headings, author, occurred_at, importance, embedding, embedding_int8, said_in: {} or {conversation, project, turn}}})
// returns: drawers (int)
// runs:    explicit transaction after lock_closets, which returns the existing ids; __PALACE__ stands for the checked name
MATCH (p:Palace {name: $palace})
WITH coalesce(p.embedding_property, 'embedding') AS embedding // another while the palace changes its model
UNWIND $closets AS closet
MATCH (c:Closet {id: closet.id})
OPTIONAL MATCH (w:Wing {id: c.wing_id}) // a wing whose language is not known may be created later in this transaction
WITH embedding, closet, c, 'words' + coalesce('_' + w.analyzer, '') AS words
UNWIND closet.drawers AS row
CREATE (c)-[:HAS_DRAWER {
  success_pheromone: 0.0, traversal_pheromone: 0.0, recency_pheromone: 0.0, base_cost: $base_cost, current_cost: $base_cost
}]->(d:Drawer:Drawer___PALACE__ {
  id: row.id, palace: $palace, wing_id: row.wing_id, wing: row.wing, room_id: row.room_id, room: row.room,
  text: row.text, position: row.position, name: row.name, pointer_share: row.pointer_share,
  start_line: row.start_line, end_line: row.end_line, headings: row.headings, author: row.author,
  occurred_at: row.occurred_at, created_at: datetime(), importance: row.importance,
  embedding_int8: row.embedding_int8, names_due: $palace,
  exploitation_pheromone: 0.0, exploration_pheromone: 0.0
})
SET d += row.said_in // null and {} add nothing
SET d[embedding] = row.embedding, d[words] = row.words, d['title_' + words] = row.title_words
RETURN count(*) AS drawers
