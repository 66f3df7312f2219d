// record_change: append one entry to the palace's change feed; last in its transaction, because it takes the palace's lock.
// params:  palace (string), stored (list of string), removed (list of string)
// returns: revision (int)
// runs:    explicit transaction
MATCH (p:Palace {name: $palace})
SET p.revision = p.revision + 1
CREATE (:Change {
  palace: $palace, revision: p.revision, stored: $stored, removed: $removed, created_at: datetime()
})
RETURN p.revision AS revision
