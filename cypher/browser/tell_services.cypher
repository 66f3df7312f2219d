// Wake the services
// All of them read the palace again, after an edit by hand.
// This adds a revision without an entry in the change feed. A service that finds such a gap reads the whole palace
// again.
MATCH (p:Palace {name: 'main'})
SET p.revision = p.revision + 1
RETURN p.name AS palace, p.revision AS revision
