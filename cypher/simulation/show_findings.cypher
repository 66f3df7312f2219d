// show_findings: link a simulation to the drawers that it found, for people who look at the graph.
// params:  palace (string), name (string), owner (string), written_at (int, as that of keep_simulation, which stored the findings), found (list of {id, rank, score})
// returns: edges (int)
// runs:    implicit transaction, safe to repeat; the first SET locks the simulation before anything of it is read
MATCH (s:Simulation {name: $name})
SET s.asked_at = timestamp()
WITH s
WHERE s.owner = $owner AND coalesce(s.claimed_at, 0) <= $written_at
CALL (s) {
  MATCH (s)-[f:FOUND]->(:Drawer)
  DELETE f
}
WITH s
UNWIND $found AS finding
MATCH (d:Drawer {id: finding.id})
WHERE d.palace = $palace
CREATE (s)-[:FOUND {rank: finding.rank, score: finding.score}]->(d)
RETURN count(*) AS edges
