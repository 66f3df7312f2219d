// find_names: find the entities with some normalised names; a name that was merged into another by hand means that one.
// params:  palace (string), names (list of {id: the id that an entity of this name has, normalised_name})
// returns: asked (string: the given normalised name), id (string), name (string); no row for a name that the palace does not know
// runs:    implicit transaction, reads
UNWIND $names AS row
OPTIONAL MATCH (:MergedEntity {id: row.id})-[:MERGED_INTO*1..20]->(kept:Entity)
WITH row, head(collect(kept)) AS kept
OPTIONAL MATCH (e:Entity {palace: $palace, normalised_name: row.normalised_name})
WITH row, coalesce(kept, e) AS found
WHERE found IS NOT NULL
RETURN row.normalised_name AS asked, found.id AS id, found.name AS name
