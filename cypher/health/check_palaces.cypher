// check_palaces: what tells of each palace whether something is left to do in it.
// params:
// returns: name (string), model (string), dimension (int), analyzer (string), analyzers (list of string: those of its wings besides), next_model (string or null: that new vectors are being computed with), switched (bool: whether those answer, but not all has followed), importing (bool), undecayed_s (float: since the last decay), leased (bool: whether a decay runs), unsettled_s (float or null: since drawers changed, if its links are older)
// runs:    implicit transaction, reads
MATCH (p:Palace)
WHERE p.dropped_at IS NULL
OPTIONAL MATCH (c:Change)
WHERE c.palace = p.name AND c.revision > p.settled_revision AND c.stored + c.removed <> []
WITH p, datetime.realtime().epochMillis AS now, max(c.created_at.epochMillis) AS changed
RETURN
  p.name AS name, p.embedding_model AS model, p.embedding_dimension AS dimension, p.analyzer AS analyzer,
  coalesce(p.language_analyzers, []) AS analyzers, p.next_model AS next_model,
  p.embedding_property IS NOT NULL AS switched, p.importing IS NOT NULL AS importing,
  (now - coalesce(p.decay_finished_at, p.created_at).epochMillis) / 1000.0 AS undecayed_s,
  coalesce(p.decay_lease_until > datetime.realtime(), false) AS leased,
  (now - changed) / 1000.0 AS unsettled_s
ORDER BY name
