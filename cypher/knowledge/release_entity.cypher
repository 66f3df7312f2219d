// release_entity: turn a merged entity into one of its own again; its references and facts follow.
// params:  keep (string), released (string), kept_aliases, released_aliases (lists of string)
// returns: id (string); no row if it is not merged into that entity
// runs:    explicit transaction that has locked the palace, before split_references and return_facts
MATCH (b:MergedEntity {id: $released})-[m:MERGED_INTO]->(a:Entity {id: $keep})
DELETE m
REMOVE b:MergedEntity
SET b:Entity, b.aliases = $released_aliases, a.aliases = $kept_aliases
RETURN b.id AS id
