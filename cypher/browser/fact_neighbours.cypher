// Around one name, by facts
// What the name is connected with over at most three facts that hold now.
// Put the name between the empty quotes. Without a name, the one with the most facts is shown.
WITH 'main' AS palace, '' AS about
CALL (palace, about) {
  MATCH ()-[e:RELATES_TO {palace: palace}]->()
  WHERE e.predicate IS NOT NULL AND e.invalidated_at IS NULL
  UNWIND [startNode(e), endNode(e)] AS end
  WITH end, count(*) AS facts, about
  WHERE about = '' OR toLower(end.name) = toLower(about)
  RETURN end ORDER BY facts DESC, end.id LIMIT 1
}
MATCH way = (end)((:Entity)-[e:RELATES_TO WHERE
  e.invalidated_at IS NULL AND coalesce(e.valid_from <= datetime(), true) AND coalesce(e.valid_to > datetime(), true)
]-(:Entity)){1,3}
RETURN way
LIMIT 200
