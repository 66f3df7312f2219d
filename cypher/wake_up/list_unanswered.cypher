// list_unanswered: the questions of the searches that are still kept and found nothing that fits, the latest first, each with the drawer that came nearest. A question is left out if its latest search found something, or one of its hits was useful.
// params:  palace (string), wing_id (string or null: anywhere), least (float: log-odds of an answer that fits), now_ms (int), ends (list of string: how a question ends), limit (int)
// returns: id (string: of the search), text (string), drawer (string or null)
// runs:    implicit transaction, reads
MATCH (s:Search)
WHERE s.palace = $palace AND s.expires_ms > $now_ms AND s.id STARTS WITH 'search-'
  AND any(mark IN $ends WHERE trim(s.query) ENDS WITH mark)
WITH toLower(trim(s.query)) AS question, s ORDER BY s.expires_ms DESC, s.id
WITH question, head(collect(s)) AS s
WHERE coalesce(s.answer_log_odds < $least, s.shown = 0)
  AND NOT EXISTS { UNWIND s.candidates AS id MATCH (:Drawer {id: id})<-[:USEFUL]-(f:Feedback) WHERE f.asking = s.id }
OPTIONAL MATCH (d:Drawer {id: s.candidates[0]})
WITH s, d
WHERE $wing_id IS NULL OR d.wing_id = $wing_id
RETURN s.id AS id, left(s.query, 400) AS text, d.id AS drawer
ORDER BY s.expires_ms DESC, id
LIMIT $limit
