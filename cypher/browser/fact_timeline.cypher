// Facts of one name
// From all times, with what was taken back.
// Put the name between the empty quotes. Without a name, all facts are shown, the latest first.
WITH 'main' AS palace, '' AS about
MATCH ()-[e:RELATES_TO {palace: palace}]->()
WHERE e.predicate IS NOT NULL
  AND (about = '' OR toLower(about) IN [toLower(startNode(e).name), toLower(endNode(e).name)])
RETURN
  e.valid_from AS from, e.valid_to AS to, startNode(e).name AS subject, e.predicate AS predicate,
  endNode(e).name AS object, e.observed_at AS learned, e.invalidated_at AS taken_back, e.superseded_by AS replaced_by,
  e.confidence AS confidence, e.source AS source, e.drawers AS drawers, e.id AS id
ORDER BY CASE WHEN about = '' THEN e.observed_at END DESC, from IS NOT NULL, from, predicate, object
LIMIT 200
