"""What is asked of a rerank, and what it answers."""
