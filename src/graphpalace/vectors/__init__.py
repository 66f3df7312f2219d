"""Vectors in memory, and the nearest of them."""
