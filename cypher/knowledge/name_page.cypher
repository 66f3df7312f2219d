// name_page: count the facts that are known about an entity, and list the names that were merged into it.
// params:  id (string)
// returns: facts (int), merged (list of string)
// runs:    implicit transaction, reads
MATCH (e:Entity {id: $id})
RETURN
  COUNT { MATCH (e)-[r:RELATES_TO]-() WHERE r.invalidated_at IS NULL } AS facts,
  COLLECT { MATCH (m:MergedEntity)-[:MERGED_INTO]->(e) RETURN m.name ORDER BY m.name } AS merged
