// record_change: append an entry to the change feed of a palace whose lock the transaction holds.
// params:  palace (string), stored (list of string), removed (list of string)
// returns: revision (int)
// runs:    explicit transaction
MATCH (p:Palace {name: $palace})
WITH p, p.revision + 1 AS revision
SET p.revision = revision
CREATE (:Change {
  palace: $palace, revision: revision, stored: $stored, removed: $removed, created_at: datetime()
})
RETURN revision
