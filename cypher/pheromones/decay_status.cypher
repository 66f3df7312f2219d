// decay_status: read a palace's clock, its last decay run, when the next one is due, and how many nodes and edges have pheromones.
// params:  palace (string), cycle_seconds (float), interval_cycles (int)
// returns: cycle (int), last_cycle (int), finished_at (string), nodes (int), edges (int), deposits_pruned (int), seconds (float), next_cycle (int), next_run_at (string), lease_by (string), lease_until (string), warm_nodes (int), warm_edges (int)
// runs:    implicit transaction, reads
// browser: :param {palace: 'main', cycle_seconds: 3600.0, interval_cycles: 10}
MATCH (p:Palace {name: $palace})
WITH p, toInteger(floor((datetime.realtime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * $cycle_seconds))) AS passed
WITH
  p, CASE WHEN passed > 0 THEN passed ELSE 0 END AS passed,
  coalesce(p.decay_cycle, 0) + $interval_cycles AS next_cycle,
  p.decay_lease_until > datetime.realtime() AS leased
RETURN
  p.cycle + passed AS cycle,
  p.decay_cycle AS last_cycle, toString(p.decay_finished_at) AS finished_at,
  p.decay_nodes AS nodes, p.decay_edges AS edges, p.decay_pruned AS deposits_pruned,
  p.decay_seconds AS seconds,
  next_cycle,
  toString(
    p.cycle_started_at + duration({seconds: (next_cycle - p.cycle) * $cycle_seconds})
  ) AS next_run_at,
  CASE WHEN leased THEN p.decay_lease_by END AS lease_by,
  CASE WHEN leased THEN toString(p.decay_lease_until) END AS lease_until,
  COUNT { MATCH (n:Wing) WHERE n.warm_in = p.name }
    + COUNT { MATCH (n:Room) WHERE n.warm_in = p.name }
    + COUNT { MATCH (n:Closet) WHERE n.warm_in = p.name }
    + COUNT { MATCH (n:Drawer) WHERE n.warm_in = p.name }
    + COUNT { MATCH (n:Entity) WHERE n.warm_in = p.name } AS warm_nodes,
  COUNT { MATCH ()-[e:HAS_ROOM]->() WHERE e.warm_in = p.name }
    + COUNT { MATCH ()-[e:HAS_CLOSET]->() WHERE e.warm_in = p.name }
    + COUNT { MATCH ()-[e:HAS_DRAWER]->() WHERE e.warm_in = p.name }
    + COUNT { MATCH ()-[e:HALL]->() WHERE e.warm_in = p.name }
    + COUNT { MATCH ()-[e:TUNNEL]->() WHERE e.warm_in = p.name }
    + COUNT { MATCH ()-[e:SIMILAR_TO]->() WHERE e.warm_in = p.name }
    + COUNT { MATCH ()-[e:REFERENCES]->() WHERE e.warm_in = p.name }
    + COUNT { MATCH ()-[e:RELATES_TO]->() WHERE e.warm_in = p.name }
    + COUNT { MATCH (p)-[:CONTAINS]->(:Wing)-[e:ANSWERED_BY]->(:Lane) WHERE e.pheromone_cycle IS NOT NULL } AS warm_edges
