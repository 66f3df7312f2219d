// find_simulations: read the choices of documents of all simulations and background jobs of a palace.
// params:  palace (string)
// returns: kind (string: simulation or job), id (string), query (string), corpus, results (strings: JSON, or null)
// runs:    implicit transaction, reads
CALL () {
  MATCH (s:Simulation)
  WHERE s.palace = $palace
  RETURN 'simulation' AS kind, s.name AS id, s.query AS query, s.corpus AS corpus, s.results AS results
  UNION ALL
  MATCH (j:SimulationJob)
  WHERE j.palace = $palace
  RETURN 'job' AS kind, j.id AS id, j.query AS query, j.corpus AS corpus, j.results AS results
}
RETURN kind, id, query, corpus, results
