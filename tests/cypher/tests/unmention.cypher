// unmention: a drawer mentions no name any more, and the change feed says so.
// params:  palace (string), drawer (string)
// returns:
// runs:    implicit transaction
MATCH (p:Palace {name: $palace})
MATCH (d:Drawer {id: $drawer})
SET p.revision = p.revision + 1
CREATE (:Change {
  palace: $palace, revision: p.revision, stored: [], removed: [], named: [$drawer], created_at: datetime()
})
WITH d
MATCH (d)-[r:REFERENCES]->(:Entity)
DELETE r
