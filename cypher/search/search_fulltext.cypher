// search_fulltext: find the best drawers by the sum of Lucene's BM25 scores over indexes, and the best score of single words.
// params:  palace (string), question (map: {measured_in: list of {kind, weight}; kind: stems or exact, words: list of string to be measured, known: list of {word, most} already measured, asked: list of {kind, query, only_text: bool, pairs: list of {one, other, query}}}), common (float: share of the best word's most), options (map: {limit} of each index, or {}), limit (int), wing_id (string or null), room_ids (list of string or null), since_ms (int or null), until_ms (int or null), drawers (list of string or null), author (string or null), project (string or null), conversation (string or null)
// returns: born, learned, forgot, cycle, since_ms, revision, model, dimension, drawers, facts, facts_forgot (as read_changes does), measured (list of {word, most}; 0 for a word that is nowhere), ids (list of string), scores (list of float); no row if there is no such palace
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
MATCH (p:Palace {name: $palace})
// Wings in another language than the palace's have indexes and properties of their own.
WITH
  p,
  [{analyzer: '', prefix: 'drawer_', words: 'words:'}] + [
    analyzer IN coalesce(p.language_analyzers, [])
    | {analyzer: analyzer, prefix: 'drawer_' + analyzer + '_', words: 'words_' + analyzer + ':'}
  ] AS languages
CALL (languages) {
  UNWIND $question.words AS word
  UNWIND languages AS language
  CALL (word, language) {
    UNWIND $question.measured_in AS part
    CALL db.index.fulltext.queryNodes(language.prefix + part.kind + '_' + $palace, language.words + word, {limit: 1})
    YIELD score
    RETURN sum(part.weight * score) AS most
  }
  WITH word, max(most) AS most
  RETURN collect({word: word, most: most}) AS measured
}
WITH p, languages, measured, [each IN measured + $question.known WHERE each.most > 0] AS best
WITH p, languages, measured, best, $common * reduce(top = 0.0, each IN best | CASE WHEN each.most > top THEN each.most ELSE top END) AS common
WITH p, languages, measured, [each IN best | each.word] AS there, [each IN best WHERE each.most >= common | each.word] AS rare
CALL (languages, there, rare) {
  OPTIONAL MATCH (w:Wing {id: $wing_id})
  WITH [each IN languages WHERE $wing_id IS NULL OR each.analyzer IN ['', w.analyzer]] AS searched, there, rare
  UNWIND searched AS language
  UNWIND $question.asked AS ask
  // A pair of adjacent words counts if the palace has both words and at least one of them is not common.
  WITH language.prefix + ask.kind + '_' + $palace AS index, reduce(
    query = CASE WHEN ask.only_text THEN language.words ELSE '' END + ask.query, pair IN ask.pairs |
    CASE
      WHEN pair.one IN there AND pair.other IN there AND (pair.one IN rare OR pair.other IN rare)
      THEN query + ' ' + pair.query
      ELSE query
    END
  ) AS query
  WHERE query <> ''
  CALL db.index.fulltext.queryNodes(index, query, $options) YIELD node, score
  WITH node, sum(score) AS score
  WHERE ($wing_id IS NULL OR node.wing_id = $wing_id)
    AND ($room_ids IS NULL OR node.room_id IN $room_ids)
    AND ($since_ms IS NULL OR coalesce(node.occurred_at, node.created_at).epochMillis >= $since_ms)
    AND ($until_ms IS NULL OR coalesce(node.occurred_at, node.created_at).epochMillis < $until_ms)
    AND ($drawers IS NULL OR node.id IN $drawers)
    AND ($author IS NULL OR node.author = $author)
    AND ($project IS NULL OR node.project = $project)
    AND ($conversation IS NULL OR node.conversation = $conversation)
  WITH node.id AS id, score
  ORDER BY score DESC, id
  LIMIT $limit
  WHERE id IS NOT NULL // it is null if somebody deletes the drawer meanwhile
  RETURN collect(id) AS ids, collect(score) AS scores
}
RETURN
  toString(p.created_at) AS born, coalesce(p.learned, 0) AS learned, coalesce(p.forgot, 0) AS forgot,
  p.cycle AS cycle, datetime().epochMillis - p.cycle_started_at.epochMillis AS since_ms, p.revision AS revision,
  p.embedding_model AS model, p.embedding_dimension AS dimension,
  COUNT { MATCH (:Drawer___PALACE__) } AS drawers, coalesce(p.facts, 0) AS facts,
  coalesce(p.facts_forgot, 0) AS facts_forgot, measured, ids, scores
