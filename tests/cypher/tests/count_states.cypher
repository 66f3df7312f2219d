MATCH (s:SimulationState) WHERE s.simulation STARTS WITH $id + '/' RETURN count(s) AS states
