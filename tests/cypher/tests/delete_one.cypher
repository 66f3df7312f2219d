// delete_one: remove a drawer as somebody would in Neo4j Browser.
// params:  id (string)
// returns:
// runs:    implicit transaction
MATCH (d:Drawer {id: $id}) DETACH DELETE d
