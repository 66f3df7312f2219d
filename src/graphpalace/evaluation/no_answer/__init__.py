"""Measures whether a search knows when nothing fits, and fits the model that tells."""
