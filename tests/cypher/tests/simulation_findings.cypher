// simulation_findings: what a simulation found, as it stands in the graph.
// params:  name (string)
// returns: rank (int), drawer (string)
// runs:    implicit transaction, reads
MATCH (:Simulation {name: $name})-[f:FOUND]->(d:Drawer)
RETURN f.rank AS rank, d.id AS drawer
ORDER BY rank
