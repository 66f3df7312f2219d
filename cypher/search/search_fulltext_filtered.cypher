// search_fulltext_filtered: as search_fulltext among the drawers that pass the filters; nothing is cut before.
// params:  palace (string), asked (list of {index, query}), limit (int), wing_id (string or null), room_ids (list of string or null), since_ms (int or null), until_ms (int or null), drawers (list of string or null)
// returns: ids (list of string), scores (list of float), state (string: of the palace); no row if nothing is found
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $palace})
UNWIND $asked AS ask
CALL db.index.fulltext.queryNodes(ask.index, ask.query) YIELD node, score
WITH p, node, sum(score) AS score
WITH p, node, score, coalesce(node.occurred_at, node.created_at).epochMillis AS time_ms
WHERE ($wing_id IS NULL OR node.wing_id = $wing_id)
  AND ($room_ids IS NULL OR node.room_id IN $room_ids)
  AND ($since_ms IS NULL OR time_ms >= $since_ms)
  AND ($until_ms IS NULL OR time_ms < $until_ms)
  AND ($drawers IS NULL OR node.id IN $drawers)
WITH p, node.id AS id, score
ORDER BY score DESC, id
LIMIT $limit
RETURN toString(p.created_at) + ' ' + p.revision AS state, collect(id) AS ids, collect(score) AS scores
