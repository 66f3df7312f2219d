"""Routes about conversations."""
