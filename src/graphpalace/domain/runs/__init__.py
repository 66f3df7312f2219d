"""Runs: rankings of single lanes that are kept, and fused on request."""
