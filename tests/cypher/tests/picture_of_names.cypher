// picture_of_names: everything about the names of a palace: properties, references and facts.
// params:  palace (string)
// returns: name (string), properties (map), references, facts (lists of map), merged (list of string)
// runs:    implicit transaction, reads
MATCH (e:Entity {palace: $palace})
RETURN
  e.name AS name, properties(e) AS properties,
  COLLECT { MATCH (e)<-[r:REFERENCES]-(d:Drawer) RETURN {drawer: d.id, edge: properties(r)} ORDER BY d.id } AS references,
  COLLECT { MATCH (e)-[f:RELATES_TO]->(o:Entity) RETURN {object: o.id, edge: properties(f)} ORDER BY o.id } AS facts,
  COLLECT { MATCH (e)<-[:MERGED_INTO]-(m:MergedEntity) RETURN m.name ORDER BY m.name } AS merged,
  COLLECT { MATCH (e)<-[r:MENTIONED]-(d:Drawer) RETURN d.id ORDER BY d.id } AS parked
ORDER BY name
