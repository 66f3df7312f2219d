// record_names: append an entry to the change feed, for drawers whose names changed; their vectors stay as they are.
// params:  palace (string), named (list of string: ids of drawers), respelled (list of string: ids of entities that are written in other ways than before), facts (bool: whether facts moved to other names, so that all are to be read again)
// returns: revision (int)
// runs:    explicit transaction that has locked the palace
MATCH (p:Palace {name: $palace})
WITH
  p, p.revision + 1 AS revision,
  coalesce(p.facts, 0) AS facts, coalesce(p.facts_forgot, 0) AS forgot,
  coalesce(p.settled_revision, 0) AS settled, coalesce(p.divided_revision, 0) AS divided, p.revision AS last,
  // Who reads the names of a drawer reads how they are written too, so one drawer of each such entity is enough.
  $named + COLLECT {
    UNWIND $respelled AS id
    MATCH (e:Entity {id: id})
    CALL (e) { MATCH (d:Drawer)-[:REFERENCES]->(e) RETURN d.id AS drawer LIMIT 1 }
    RETURN drawer
  } AS named
SET
  p.revision = revision,
  // Names change neither centroids nor rooms: what was settled for the last revision is settled for this one.
  p.settled_revision = CASE WHEN settled >= last THEN revision ELSE settled END,
  p.divided_revision = CASE WHEN divided >= last THEN revision ELSE divided END
FOREACH (palace IN CASE WHEN $facts AND facts > 0 THEN [p] ELSE [] END |
  SET palace.facts = facts + 1, palace.facts_forgot = forgot + 1
)
CREATE (:Change {
  palace: $palace, revision: revision, stored: [], removed: [], named: named, created_at: datetime()
})
RETURN revision
