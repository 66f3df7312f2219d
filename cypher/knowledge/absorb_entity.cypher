// absorb_entity: turn an entity into a merged one of another. Its references move, and are kept aside as they were.
// params:  keep (string), absorbed (string), aliases (list of string: those that the kept one gets), kept_apart (list of string, or null: what stays split from the kept one)
// returns: drawers (list of string)
// runs:    explicit transaction that has locked the palace, after move_facts
MATCH (a:Entity {id: $keep}), (b:Entity {id: $absorbed})
CALL (a, b) {
  MATCH (d:Drawer)-[r:REFERENCES]->(b)
  OPTIONAL MATCH (d)-[own:REFERENCES]->(a)
  WITH
    a, b, d, r, own, properties(r) AS was, coalesce(own.count, 0) + coalesce(r.count, 0) AS count,
    coalesce(own.titled, r.titled) AS titled, coalesce(own.names, []) + coalesce(r.names, []) AS names,
    coalesce(own.counts, []) + coalesce(r.counts, []) AS counts
  CREATE (d)-[parked:MENTIONED]->(b)
  SET parked = was
  FOREACH (both IN CASE WHEN own IS NULL THEN [] ELSE [own] END |
    SET
      both.count = count, both.titled = titled, both.names = names, both.counts = counts,
      both.is_title = coalesce(both.is_title, false) OR coalesce(was.is_title, false)
  )
  FOREACH (one IN CASE WHEN own IS NULL THEN [d] ELSE [] END |
    CREATE (one)-[moved:REFERENCES]->(a)
    SET moved = was
  )
  DELETE r
  RETURN collect(d.id) AS drawers
}
REMOVE b:Entity
SET b:MergedEntity, a.aliases = a.aliases + $aliases, a.kept_apart = $kept_apart
CREATE (b)-[:MERGED_INTO {aliases: $aliases, merged_at: datetime()}]->(a)
RETURN drawers
