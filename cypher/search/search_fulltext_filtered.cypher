// search_fulltext_filtered: as search_fulltext among the drawers that pass the filters; nothing is cut before.
// params:  asked (list of {index, query}), limit (int), wing_id (string or null), room_ids (list of string or null), since_ms (int or null), until_ms (int or null), drawers (list of string or null)
// returns: id (string), score (float)
// runs:    implicit transaction, reads
UNWIND $asked AS ask
CALL db.index.fulltext.queryNodes(ask.index, ask.query) YIELD node, score
WITH node, sum(score) AS score
WITH node, score, coalesce(node.occurred_at, node.created_at).epochMillis AS time_ms
WHERE ($wing_id IS NULL OR node.wing_id = $wing_id)
  AND ($room_ids IS NULL OR node.room_id IN $room_ids)
  AND ($since_ms IS NULL OR time_ms >= $since_ms)
  AND ($until_ms IS NULL OR time_ms < $until_ms)
  AND ($drawers IS NULL OR node.id IN $drawers)
RETURN node.id AS id, score
ORDER BY score DESC, id
LIMIT $limit
