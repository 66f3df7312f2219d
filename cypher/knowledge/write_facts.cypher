// write_facts: close versions of facts, open others, and add evidence to known ones. A version that goes on with another's facts takes over its trail.
// params:  palace (string), closed (list of {id, superseded_by, invalidated_at}), supported (list of {id, superseded_by, confidence, source, drawers, stated}), opened (list of {id, subject, predicate, object, valid_from, valid_to, observed_at, superseded_by, confidence, source, drawers, stated, trail_of}), named (list of {drawer, facts}: facts that drawers say), base_cost (float)
// returns: facts (int: how often the palace's facts were written)
// runs:    explicit transaction that has locked the palace
MATCH (p:Palace {name: $palace})
WITH p, coalesce(p.facts, 0) + 1 AS facts
SET p.facts = facts
WITH facts
CALL (facts) {
  UNWIND $opened AS row
  MATCH (s:Entity {id: row.subject})
  MATCH (o:Entity {id: row.object})
  OPTIONAL MATCH ()-[old:RELATES_TO {id: row.trail_of}]->()
  CREATE (s)-[e:RELATES_TO {
    id: row.id, palace: $palace, predicate: row.predicate, valid_from: row.valid_from, valid_to: row.valid_to,
    observed_at: row.observed_at, superseded_by: row.superseded_by, confidence: row.confidence, source: row.source,
    drawers: row.drawers, stated: row.stated, fact_revision: facts, base_cost: $base_cost,
    current_cost: coalesce(old.current_cost, $base_cost), success_pheromone: coalesce(old.success_pheromone, 0.0),
    traversal_pheromone: coalesce(old.traversal_pheromone, 0.0), recency_pheromone: coalesce(old.recency_pheromone, 0.0),
    pheromone_cycle: old.pheromone_cycle, warm_in: old.warm_in
  }]->(o)
  FOREACH (left IN CASE WHEN old IS NULL THEN [] ELSE [old] END |
    SET
      left.success_pheromone = 0.0, left.traversal_pheromone = 0.0, left.recency_pheromone = 0.0,
      left.current_cost = left.base_cost
    REMOVE left.pheromone_cycle, left.warm_in
  )
}
CALL (facts) {
  UNWIND $closed AS row
  MATCH ()-[e:RELATES_TO {id: row.id}]->()
  SET e.invalidated_at = row.invalidated_at, e.superseded_by = row.superseded_by, e.fact_revision = facts
}
CALL (facts) {
  UNWIND $supported AS row
  MATCH ()-[e:RELATES_TO {id: row.id}]->()
  SET
    e.superseded_by = row.superseded_by, e.confidence = row.confidence, e.source = row.source, e.drawers = row.drawers,
    e.stated = row.stated, e.fact_revision = facts
}
CALL () {
  UNWIND $named AS row
  MATCH (d:Drawer {id: row.drawer})
  SET d.facts = [fact IN coalesce(d.facts, []) WHERE NOT fact IN row.facts] + row.facts
}
RETURN facts
