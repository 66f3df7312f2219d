// Clock and decay
// The clock of the palace, how many nodes and edges are warm, and the last run of the decay service.
WITH 'main' AS palace, 3600 AS cycle_seconds
MATCH (p:Palace {name: palace})
WITH p, palace, p.cycle + toInteger((datetime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * cycle_seconds)) AS cycle
RETURN
  cycle, p.decay_cycle AS last_decay_at_cycle, p.decay_finished_at AS finished_at, p.decay_nodes AS nodes_changed,
  p.decay_edges AS edges_changed, p.decay_seconds AS seconds,
  CASE WHEN p.decay_lease_until > datetime() THEN p.decay_lease_by END AS running_by,
  COUNT { MATCH (n:Wing) WHERE n.warm_in = palace } AS wings,
  COUNT { MATCH (n:Room) WHERE n.warm_in = palace } AS rooms,
  COUNT { MATCH (n:Closet) WHERE n.warm_in = palace } AS closets,
  COUNT { MATCH (n:Drawer) WHERE n.warm_in = palace } AS drawers,
  COUNT { MATCH ()-[e:HAS_ROOM]->() WHERE e.warm_in = palace } AS has_room,
  COUNT { MATCH ()-[e:HAS_CLOSET]->() WHERE e.warm_in = palace } AS has_closet,
  COUNT { MATCH ()-[e:HAS_DRAWER]->() WHERE e.warm_in = palace } AS has_drawer,
  COUNT { MATCH ()-[e:HALL]->() WHERE e.warm_in = palace } AS halls,
  COUNT { MATCH ()-[e:TUNNEL]->() WHERE e.warm_in = palace } AS tunnels,
  COUNT { MATCH ()-[e:SIMILAR_TO]->() WHERE e.warm_in = palace } AS similar_to,
  COUNT { MATCH (p)-[:CONTAINS]->(:Wing)-[e:ANSWERED_BY]->(:Lane) WHERE e.warm_in = palace } AS answered_by
