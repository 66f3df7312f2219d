// load_vectors: load what the semantic lane needs of all drawers, in columns of a thousand.
// params:  palace (string)
// returns: ids, wings, rooms (lists of string), times_ms (list of int), importances, pointer_shares (lists of float), authors, projects, conversations (lists of string, '' where there is none), embeddings (list of bytes), news (list of lists of [id of an older drawer, probability]), model (string)
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
MATCH (p:Palace {name: $palace})
WITH p.embedding_model AS model, coalesce(p.embedding_property, 'embedding') AS embedding
MATCH (d:Drawer___PALACE__)
WITH model, embedding, collect(d) AS drawers
UNWIND range(0, size(drawers) - 1, 1000) AS start
WITH model, embedding, drawers[start..start + 1000] AS part
RETURN
  [d IN part | d.id] AS ids, [d IN part | d.wing_id] AS wings, [d IN part | d.room_id] AS rooms,
  [d IN part | coalesce(d.occurred_at, d.created_at).epochMillis] AS times_ms,
  [d IN part | coalesce(d.importance, 0.5)] AS importances,
  [d IN part | coalesce(d.pointer_share, 0.0)] AS pointer_shares,
  [d IN part | coalesce(d.author, '')] AS authors, [d IN part | coalesce(d.project, '')] AS projects,
  [d IN part | coalesce(d.conversation, '')] AS conversations, [d IN part | d[embedding]] AS embeddings,
  [d IN part | [(d)-[n:NEWS_ON]->(older:Drawer) WHERE n.probability > 0 | [older.id, n.probability]]] AS news, model
