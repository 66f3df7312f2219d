// change_text: replace the text of a drawer with all that follows from it, keep the old one in its history, and delete its links to similar drawers.
// params:  id (string), version (string: id for the old text), text (string), words (string), pointer_share (float), lines (int), embedding (bytes), embedding_int8 (bytes)
// returns: unlinked (int)
// runs:    explicit transaction that has locked the palace, safe to repeat; create_similar links the drawer again
MATCH (c:Closet)-[:HAS_DRAWER]->(d:Drawer {id: $id})
MATCH (w:Wing {id: d.wing_id})
CREATE (d)-[:HAD_TEXT]->(:DrawerText {
  id: $version, palace: d.palace, text: d.text, since: coalesce(d.changed_at, d.created_at), until: datetime()
})
SET
  d.text = $text, d['words' + coalesce('_' + w.analyzer, '')] = $words, d.pointer_share = $pointer_share,
  d.embedding = NULL, d.next_embedding = NULL, d.embedding_int8 = $embedding_int8, d.changed_at = datetime(),
  d.names_due = d.palace, d.facts_read_at = null,
  // The lines of a source that was ingested are counted in the source, which is as it was.
  d.end_line = CASE WHEN c.content_hash IS NULL THEN d.start_line + $lines - 1 ELSE d.end_line END
WITH d
MATCH (p:Palace {name: d.palace})
SET d[coalesce(p.embedding_property, 'embedding')] = $embedding // another while the palace changes its model
WITH d
OPTIONAL MATCH (d)-[e:SIMILAR_TO]-(:Drawer)
DELETE e
RETURN count(*) AS unlinked
