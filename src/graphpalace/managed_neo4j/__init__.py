"""The Neo4j that is downloaded, started, watched and stopped."""
