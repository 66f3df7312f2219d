"""All queries: each module sends those of one topic to Neo4j."""
