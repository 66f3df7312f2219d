// name_page: count the facts about an entity, and list the names that were merged into it.
// params:  id (string)
// returns: facts (int), merged (list of string)
// runs:    implicit transaction, reads
MATCH (e:Entity {id: $id})
RETURN
  COUNT { (e)-[:RELATES_TO]-() } AS facts,
  COLLECT { MATCH (m:MergedEntity)-[:MERGED_INTO]->(e) RETURN m.name ORDER BY m.name } AS merged
