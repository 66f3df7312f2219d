"""How probable it is that a hit, or an answer, fits the question."""
