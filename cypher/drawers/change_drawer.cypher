// change_drawer: change what is known of a drawer, and the title of its closet; what is null stays as it is.
// params:  palace (string), id (string), title (string or null), title_words (string or null), author (string or null), occurred_at (datetime or null), importance (float or null)
// returns: id (string); no row if the drawer is not in the palace
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (c:Closet)-[:HAS_DRAWER]->(d:Drawer {id: $id})
WHERE d.palace = $palace
// The title of a document is a name of its drawers. With another title, their names are read again.
CALL (c) {
  WITH c WHERE c.title <> $title
  MATCH (c)-[:HAS_DRAWER]->(each:Drawer)
  SET each.names_due = $palace
  RETURN count(*) AS due
}
MATCH (w:Wing {id: d.wing_id})
WITH c, d, 'title_words' + coalesce('_' + w.analyzer, '') AS title_words
SET
  c.title = coalesce($title, c.title), d[title_words] = coalesce($title_words, d[title_words]),
  d.author = coalesce($author, d.author), d.occurred_at = coalesce($occurred_at, d.occurred_at),
  d.importance = coalesce($importance, d.importance)
RETURN d.id AS id
