// lock_closets: create or find closets by id, lock them until the transaction ends, and read their drawers; a content hash marks a closet as complete.
// params:  palace (string), closets (list of {id, wing_id, title, source_uri, media_type, content_hash, publication: map, labels: map})
// returns: id (string), was (string: its source before), drawers (list of string), next_position (int): after the last drawer, clusters (list of {id, name}): rooms it was moved to
// runs:    explicit transaction, safe to repeat
UNWIND $closets AS row
MERGE (c:Closet {id: row.id})
ON CREATE SET
  c.palace = $palace, c.wing_id = row.wing_id, c.source_uri = row.source_uri, c.created_at = datetime(),
  c.exploitation_pheromone = 0.0, c.exploration_pheromone = 0.0
WITH row, c, c.source_uri AS was
SET
  c.title = row.title, c.media_type = row.media_type, c.source_uri = row.source_uri,
  // A source that was moved is complete when all that follows from its place is written.
  c.content_hash = CASE WHEN was <> row.source_uri THEN row.content_hash ELSE coalesce(row.content_hash, c.content_hash) END,
  c.ingested_at = CASE WHEN row.content_hash IS NULL THEN c.ingested_at ELSE datetime() END
// A value that is null removes the property. An empty map changes nothing.
SET c += row.publication
SET c += row.labels
RETURN
  c.id AS id, was,
  COLLECT { MATCH (c)-[:HAS_DRAWER]->(d:Drawer) RETURN d.id } AS drawers,
  coalesce(
    head(COLLECT { MATCH (c)-[:HAS_DRAWER]->(d:Drawer) RETURN d.position ORDER BY d.position DESC LIMIT 1 }) + 1, 0
  ) AS next_position,
  COLLECT { MATCH (r:Room)-[:HAS_CLOSET]->(c) WHERE r.found_by = 'cluster' RETURN {id: r.id, name: r.name} ORDER BY r.id } AS clusters
