// show_findings: link a simulation to the drawers that it found, for people who look at the graph.
// params:  palace (string), name (string), found (list of {id, rank, score})
// returns: edges (int)
// runs:    implicit transaction, safe to repeat
MATCH (s:Simulation {name: $name})
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
