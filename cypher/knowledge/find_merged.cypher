// find_merged: find a merged entity with the one that it was merged into directly.
// params:  id (string)
// returns: id, name, normalised_name (strings), aliases (list of string), into (string), into_name (string), added (list of string: aliases that the other one got from it)
// runs:    any transaction, reads
MATCH (b:MergedEntity {id: $id})-[m:MERGED_INTO]->(a)
RETURN
  b.id AS id, b.name AS name, b.normalised_name AS normalised_name, b.aliases AS aliases,
  a.id AS into, a.name AS into_name, m.aliases AS added
