// GraphPalace: tell all services of an edit by hand, so that they read the palace again at once
// A revision without an entry in the change feed is a gap, and who meets a gap reads everything.
MATCH (p:Palace {name: 'main'})
SET p.revision = p.revision + 1
RETURN p.name AS palace, p.revision AS revision
