"""What feedback teaches: pure functions from lessons to a better answer (DESIGN 8)."""
