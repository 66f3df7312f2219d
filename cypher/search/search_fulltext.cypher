// search_fulltext: find the best drawers by the sum of Lucene's BM25 scores over indexes, and the best score of single words.
// params:  palace (string), measured_in (list of {index, weight}), words (list of string: to be measured), known (list of {word, most}: already measured), common (float: share of the best word's most), asked (list of {index, query, pairs: list of {one, other, query}}), options (map: {limit} of each index, or {}), limit (int), wing_id (string or null), room_ids (list of string or null), since_ms (int or null), until_ms (int or null), drawers (list of string or null)
// returns: born, learned, forgot, cycle, since_ms, revision, drawers, facts, facts_forgot (as read_changes does), measured (list of {word, most}; words that are nowhere are left out), ids (list of string), scores (list of float); no row if there is no such palace
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
MATCH (p:Palace {name: $palace})
CALL () {
  UNWIND $words AS word
  UNWIND $measured_in AS part
  CALL db.index.fulltext.queryNodes(part.index, 'words:' + word, {limit: 1}) YIELD score
  WITH word, sum(part.weight * score) AS most
  RETURN collect({word: word, most: most}) AS measured
}
WITH p, measured, [each IN measured + $known WHERE each.most > 0] AS best
WITH p, measured, best, $common * reduce(top = 0.0, each IN best | CASE WHEN each.most > top THEN each.most ELSE top END) AS common
WITH p, measured, [each IN best | each.word] AS there, [each IN best WHERE each.most >= common | each.word] AS rare
CALL (there, rare) {
  UNWIND $asked AS ask
  // A pair of adjacent words counts if the palace has both words and at least one of them is not common.
  WITH ask.index AS index, reduce(query = ask.query, pair IN ask.pairs |
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
  WITH node.id AS id, score
  ORDER BY score DESC, id
  LIMIT $limit
  RETURN collect(id) AS ids, collect(score) AS scores
}
RETURN
  toString(p.created_at) AS born, coalesce(p.learned, 0) AS learned, coalesce(p.forgot, 0) AS forgot,
  p.cycle AS cycle, datetime().epochMillis - p.cycle_started_at.epochMillis AS since_ms, p.revision AS revision,
  COUNT { MATCH (:Drawer___PALACE__) } AS drawers, coalesce(p.facts, 0) AS facts,
  coalesce(p.facts_forgot, 0) AS facts_forgot, measured, ids, scores
