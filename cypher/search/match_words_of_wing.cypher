// match_words_of_wing: find which drawers of a wing have which words of a question, and how rare each word is in the wing. No score of Lucene's is used, because it would tell how rare the words are elsewhere.
// params:  palace (string), wing_id (string), asked (list of {key: int, kind: stems or exact, query, weight: float}), only_text (bool: leave out titles), most_chars (int: of a text that is returned), limit (int), room_ids (list of string or null), since_ms (int or null), until_ms (int or null), drawers (list of string or null), author (string or null), project (string or null), conversation (string or null)
// returns: born, learned, forgot, cycle, since_ms, revision, model, dimension, drawers, facts, facts_forgot (as read_changes does), size (int: drawers of the wing), counts (list of {key, drawers}), found (list of {id, keys, text}; best first by the sum of the words' rarities); no row if there is no such palace or wing
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
MATCH (p:Palace {name: $palace})-[:CONTAINS]->(w:Wing {id: $wing_id})
CALL (w) {
  MATCH (d:Drawer)
  WHERE d.palace = $palace AND d.wing_id = w.id
  RETURN count(d) AS size
}
// Wings in another language than the palace's have indexes of their own.
WITH
  p, w, size,
  [{prefix: 'drawer_', words: 'words:'}] + [
    analyzer IN coalesce(p.language_analyzers, []) WHERE analyzer = w.analyzer
    | {prefix: 'drawer_' + analyzer + '_', words: 'words_' + analyzer + ':'}
  ] AS languages
CALL (w, languages) {
  UNWIND $asked AS ask
  CALL (ask, w, languages) {
    UNWIND languages AS language
    CALL db.index.fulltext.queryNodes(
      language.prefix + ask.kind + '_' + $palace,
      CASE WHEN $only_text THEN language.words + '(' + ask.query + ')' ELSE ask.query END
    )
    YIELD node
    WITH DISTINCT node
    WHERE node.wing_id = w.id
    RETURN collect(node) AS nodes
  }
  RETURN collect({key: ask.key, weight: ask.weight, nodes: nodes}) AS matched
}
CALL (size, matched) {
  UNWIND matched AS one
  WITH one, one.weight * log(1 + (size - size(one.nodes) + 0.5) / (size(one.nodes) + 0.5)) AS rarity
  UNWIND one.nodes AS node
  WITH node, sum(rarity) AS score, collect(one.key) AS keys
  WHERE ($room_ids IS NULL OR node.room_id IN $room_ids)
    AND ($since_ms IS NULL OR coalesce(node.occurred_at, node.created_at).epochMillis >= $since_ms)
    AND ($until_ms IS NULL OR coalesce(node.occurred_at, node.created_at).epochMillis < $until_ms)
    AND ($drawers IS NULL OR node.id IN $drawers)
    AND ($author IS NULL OR node.author = $author)
    AND ($project IS NULL OR node.project = $project)
    AND ($conversation IS NULL OR node.conversation = $conversation)
  WITH node, score, keys
  ORDER BY score DESC, node.id
  LIMIT $limit
  RETURN collect({id: node.id, keys: keys, text: left(node.text, $most_chars)}) AS found
}
RETURN
  toString(p.created_at) AS born, coalesce(p.learned, 0) AS learned, coalesce(p.forgot, 0) AS forgot,
  p.cycle AS cycle, datetime().epochMillis - p.cycle_started_at.epochMillis AS since_ms, p.revision AS revision,
  p.embedding_model AS model, p.embedding_dimension AS dimension,
  COUNT { MATCH (:Drawer___PALACE__) } AS drawers, coalesce(p.facts, 0) AS facts,
  coalesce(p.facts_forgot, 0) AS facts_forgot, size,
  [one IN matched | {key: one.key, drawers: size(one.nodes)}] AS counts, found
