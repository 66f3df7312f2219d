MATCH (s:SimulationState) WHERE s.simulation STARTS WITH $id + '/' SET s.data = $data RETURN count(s) AS states
