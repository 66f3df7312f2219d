// load_some_vectors: load the columns of load_vectors for given drawers.
// params:  palace (string), ids (list of string)
// returns: ids, wings, rooms (lists of string), times_ms (list of int), importances, pointer_shares (lists of float), authors, projects, conversations (lists of string), embeddings (list of bytes), news (list of lists of [id of an older drawer, probability]), model (string)
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $palace})
WITH p.embedding_model AS model, coalesce(p.embedding_property, 'embedding') AS embedding
CALL (embedding) {
  UNWIND $ids AS id
  MATCH (d:Drawer {id: id})
  RETURN
    collect(d.id) AS ids, collect(d.wing_id) AS wings, collect(d.room_id) AS rooms,
    collect(coalesce(d.occurred_at, d.created_at).epochMillis) AS times_ms,
    collect(coalesce(d.importance, 0.5)) AS importances,
    collect(coalesce(d.pointer_share, 0.0)) AS pointer_shares, collect(coalesce(d.author, '')) AS authors,
    collect(coalesce(d.project, '')) AS projects, collect(coalesce(d.conversation, '')) AS conversations,
    collect(d[embedding]) AS embeddings,
    collect([(d)-[n:NEWS_ON]->(older:Drawer) WHERE n.probability > 0 | [older.id, n.probability]]) AS news
}
RETURN ids, wings, rooms, times_ms, importances, pointer_shares, authors, projects, conversations, embeddings, news, model
