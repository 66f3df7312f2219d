MATCH (j:SimulationJob {id: $id}) SET j.heartbeat_at = timestamp() - $age_ms RETURN j.id AS id
