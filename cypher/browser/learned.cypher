// Learned by one wing
// Feedback, the drawers that helped, and the lanes that answered.
// Put the name of the wing between the empty quotes. Without a name, the wing with the most feedback is shown.
WITH 'main' AS palace, 3600 AS cycle_seconds, 0.01 AS rate, '' AS wing
MATCH (p:Palace {name: palace})
WITH palace, rate, wing, p, p.cycle + toInteger((datetime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * cycle_seconds)) AS cycle
MATCH (p)-[:CONTAINS]->(w:Wing)
WHERE wing = '' OR w.name = wing
WITH palace, rate, cycle, w, COUNT { MATCH (f:Feedback) WHERE f.palace = palace AND f.learned IS NOT NULL AND w.id IN f.wings } AS lessons
ORDER BY lessons DESC, w.name LIMIT 1
OPTIONAL MATCH answered = (w)-[e:ANSWERED_BY]->(:Lane)
WHERE e.success_pheromone * (1 - rate) ^ (cycle - e.pheromone_cycle) >= 0.001  // smaller values count as 0
WITH palace, rate, cycle, w, lessons, collect(answered) AS lanes
OPTIONAL MATCH (f:Feedback)
WHERE f.palace = palace AND f.learned IS NOT NULL AND w.id IN f.wings
WITH rate, cycle, w, lessons, lanes, f ORDER BY f.learned DESC LIMIT 50
OPTIONAL MATCH helped = (f)-[:USEFUL|USELESS]->(d:Drawer)
RETURN
  w, lanes, lessons, f.query AS question, helped,
  round(d.narrative_strength * (1 - rate) ^ (cycle - d.narrative_cycle), 3) AS narrative_strength
