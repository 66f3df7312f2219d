// empty_palace: remove everything of one palace, a thousand nodes a transaction; the palace itself goes last.
// params:  name (string)
// returns: deleted (int)
// runs:    auto-commit (CALL IN TRANSACTIONS), safe to repeat; __PALACE__ stands for the checked name
CALL () {
  MATCH (n:Drawer___PALACE__) RETURN n
  UNION ALL
  MATCH (n:Closet) WHERE n.palace = $name AND n.wing_id IS NOT NULL RETURN n
  UNION ALL
  MATCH (:Palace {name: $name})-[:CONTAINS]->(:Wing)-[:HAS_ROOM]->(n:Room) RETURN n
  UNION ALL
  MATCH (:Palace {name: $name})-[:CONTAINS]->(n:Wing) RETURN n
  UNION ALL
  MATCH (:Palace {name: $name})-[:MANAGES]->(:Agent)-[:WROTE]->(n:DiaryEntry) RETURN n
  UNION ALL
  MATCH (:Palace {name: $name})-[:MANAGES]->(n:Agent) RETURN n
  UNION ALL
  MATCH (n:Entity) WHERE n.palace = $name AND n.name IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:MergedEntity) WHERE n.palace = $name AND n.normalised_name IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Deposit) WHERE n.palace = $name AND n.created_at IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Run) WHERE n.palace = $name AND n.expires_at IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Feedback) WHERE n.palace = $name AND n.learned IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Search) WHERE n.palace = $name RETURN n
  UNION ALL
  MATCH (n:Lane) WHERE n.palace = $name RETURN n
  UNION ALL
  MATCH (n:CallerDocument) WHERE n.palace = $name AND n.namespace IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:PheromoneSample) WHERE n.palace = $name AND n.cycle IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Simulation) WHERE n.palace = $name RETURN n
  UNION ALL
  MATCH (n:SimulationState) WHERE n.palace = $name RETURN n
  UNION ALL
  MATCH (n:SimulationJob) WHERE n.palace = $name RETURN n
  UNION ALL
  MATCH (n:DrawerText) WHERE n.palace = $name RETURN n
  UNION ALL
  MATCH (n:ForgetReceipt) WHERE n.palace = $name RETURN n
  UNION ALL
  MATCH (n:WriteKey) WHERE n.palace = $name RETURN n
  UNION ALL
  MATCH (n:ForgottenMark) WHERE n.palace = $name RETURN n
  UNION ALL
  MATCH (n:Change) WHERE n.palace = $name AND n.revision IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Palace {name: $name}) RETURN n
}
CALL (n) {
  DETACH DELETE n
} IN TRANSACTIONS OF 1000 ROWS
RETURN count(*) AS deleted
