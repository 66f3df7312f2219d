// Hot places
// What proved valuable, and what was explored recently.
// The values are computed for the current time. The rates must equal those of the sections [pheromones] and [decay] of
// the settings.
WITH 'main' AS palace, 3600 AS cycle_seconds, {exploitation: 0.02, exploration: 0.05} AS rates
MATCH (p:Palace {name: palace})
WITH palace, rates, p.cycle + toInteger((datetime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * cycle_seconds)) AS cycle
CALL (palace) {
  MATCH (n:Wing) USING INDEX SEEK n:Wing(warm_in) WHERE n.warm_in = palace RETURN n
  UNION ALL
  MATCH (n:Room) USING INDEX SEEK n:Room(warm_in) WHERE n.warm_in = palace RETURN n
  UNION ALL
  MATCH (n:Closet) USING INDEX SEEK n:Closet(warm_in) WHERE n.warm_in = palace RETURN n
  UNION ALL
  MATCH (n:Drawer) USING INDEX SEEK n:Drawer(warm_in) WHERE n.warm_in = palace RETURN n
  UNION ALL
  MATCH (n:Entity) USING INDEX SEEK n:Entity(warm_in) WHERE n.warm_in = palace RETURN n
}
WITH n, rates, CASE WHEN cycle > n.pheromone_cycle THEN cycle - n.pheromone_cycle ELSE 0 END AS age
WITH
  n,
  coalesce(n.exploitation_pheromone, 0.0) * (1 - rates.exploitation) ^ age AS exploitation,
  coalesce(n.exploration_pheromone, 0.0) * (1 - rates.exploration) ^ age AS exploration
WHERE exploitation >= 0.001 OR exploration >= 0.001
RETURN
  n AS place, coalesce(n.name, n.title, left(n.text, 80)) AS name, round(exploitation, 3) AS exploitation,
  round(exploration, 3) AS exploration
ORDER BY exploitation DESC, exploration DESC
LIMIT 40
