"""Routes about reranks."""
