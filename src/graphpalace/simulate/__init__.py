"""The swarm: agents move over the documents' embeddings, and trails lead the others (seed 000)."""
