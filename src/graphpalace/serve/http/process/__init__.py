"""What runs beside the requests: connecting, warming up, watching Neo4j, ending when idle."""
