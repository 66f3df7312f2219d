// load_some_vectors: load the columns of load_vectors for given drawers.
// params:  palace (string), ids (list of string)
// returns: ids, wings, rooms (lists of string), times_ms (list of int), importances, pointer_shares (lists of float), authors, projects, conversations (lists of string), embeddings (list of bytes), news (list of lists of [id of an older drawer, probability]), model (string)
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $palace})
WITH p.embedding_model AS model, coalesce(p.embedding_property, 'embedding') AS embedding
CALL (embedding) {
  UNWIND $ids AS id
  MATCH (d:Drawer {id: id})
  WITH
    id, d.wing_id AS wing, d.room_id AS room, coalesce(d.occurred_at, d.created_at).epochMillis AS time_ms,
    coalesce(d.importance, 0.5) AS importance, coalesce(d.pointer_share, 0.0) AS pointer_share,
    coalesce(d.author, '') AS author, coalesce(d.project, '') AS project, coalesce(d.conversation, '') AS conversation,
    d[embedding] AS vector,
    [(d)-[n:NEWS_ON]->(older:Drawer) WHERE n.probability > 0 | [older.id, n.probability]] AS news
  // Of a drawer that somebody deletes meanwhile, some properties may be null, which collect() leaves out.
  WHERE wing IS NOT NULL AND room IS NOT NULL AND time_ms IS NOT NULL AND vector IS NOT NULL
  RETURN
    collect(id) AS ids, collect(wing) AS wings, collect(room) AS rooms, collect(time_ms) AS times_ms,
    collect(importance) AS importances, collect(pointer_share) AS pointer_shares, collect(author) AS authors,
    collect(project) AS projects, collect(conversation) AS conversations, collect(vector) AS embeddings,
    collect(news) AS news
}
RETURN ids, wings, rooms, times_ms, importances, pointer_shares, authors, projects, conversations, embeddings, news, model
