// delete_some: delete part of the contents of a dropped palace; the palace node is deleted last.
// params:  palace (string), dropped (string: the palace's new name), most (int: nodes)
// returns: deleted (int), over (bool): whether nothing is left; no row if nothing was left before
// runs:    implicit transaction, safe to repeat, also by several at once; __PALACE__ stands for the checked name
MATCH (p:Palace {name: $dropped})
SET p.dropped_at = datetime.realtime() // locks the palace, and records that a service is deleting it now
WITH p
CALL (p) {
  CALL (p) {
    MATCH (n:Drawer___PALACE__) RETURN n
    UNION ALL
    MATCH (n:Closet) WHERE n.palace = $palace AND n.wing_id IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Room) WHERE n.palace = $palace AND n.wing_id IS NOT NULL AND n.name IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Wing) WHERE n.palace = $palace AND n.name IS NOT NULL RETURN n
    UNION ALL
    MATCH (p)-[:MANAGES]->(:Agent)-[:WROTE]->(n:DiaryEntry) RETURN n // before the agents, who lead to them
    UNION ALL
    MATCH (p)-[:MANAGES]->(n:Agent) RETURN n
    UNION ALL
    MATCH (n:Entity) WHERE n.palace = $palace AND n.name IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:MergedEntity) WHERE n.palace = $palace AND n.normalised_name IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Deposit) WHERE n.palace = $palace AND n.created_at IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Run) WHERE n.palace = $palace AND n.expires_at IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Feedback) WHERE n.palace = $palace AND n.learned IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Search) WHERE n.palace = $palace RETURN n
    UNION ALL
    MATCH (n:Lane) WHERE n.palace = $palace RETURN n
    UNION ALL
    MATCH (n:CallerDocument) WHERE n.palace = $palace AND n.namespace IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:PheromoneSample) WHERE n.palace = $palace AND n.cycle IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Simulation) WHERE n.palace = $palace RETURN n
    UNION ALL
    MATCH (n:SimulationState) WHERE n.palace = $palace RETURN n
    UNION ALL
    MATCH (n:SimulationJob) WHERE n.palace = $palace RETURN n
    UNION ALL
    MATCH (n:DrawerText) WHERE n.palace = $palace RETURN n
    UNION ALL
    MATCH (n:ForgetReceipt) WHERE n.palace = $palace RETURN n
    UNION ALL
    MATCH (n:WriteKey) WHERE n.palace = $palace RETURN n
    UNION ALL
    MATCH (n:ForgottenMark) WHERE n.palace = $palace RETURN n
    UNION ALL
    MATCH (n:Change) WHERE n.palace = $palace AND n.revision IS NOT NULL RETURN n
  }
  WITH n LIMIT $most
  DETACH DELETE n
  RETURN count(*) AS deleted
}
WITH p, deleted, deleted < $most AS over
FOREACH (last IN CASE WHEN over THEN [p] ELSE [] END | DETACH DELETE last)
RETURN deleted, over
