// name_nodes: read names of nodes: names of palaces, wings, rooms and entities, titles of closets, names of drawers of code, beginnings of others' texts.
// params:  nodes (list of {kind, id})
// returns: id (string), name (string)
// runs:    implicit transaction, reads
UNWIND $nodes AS row
CALL (row) {
  WITH row WHERE row.kind = 'Palace' MATCH (n:Palace {id: row.id}) RETURN n.name AS name
  UNION ALL
  WITH row WHERE row.kind = 'Wing' MATCH (n:Wing {id: row.id}) RETURN n.name AS name
  UNION ALL
  WITH row WHERE row.kind = 'Room' MATCH (n:Room {id: row.id}) RETURN n.name AS name
  UNION ALL
  WITH row WHERE row.kind = 'Closet' MATCH (n:Closet {id: row.id}) RETURN n.title AS name
  UNION ALL
  WITH row WHERE row.kind = 'Drawer' MATCH (n:Drawer {id: row.id}) RETURN coalesce(n.name, left(n.text, 400)) AS name
  UNION ALL
  WITH row WHERE row.kind = 'Entity' MATCH (n:Entity {id: row.id}) RETURN n.name AS name
}
RETURN row.id AS id, name
