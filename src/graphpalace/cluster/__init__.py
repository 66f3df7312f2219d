"""Functions that only compute, run by the workers of a Ray cluster. This process alone writes to Neo4j."""
