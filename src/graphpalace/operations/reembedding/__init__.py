"""Changing the embedding model of a palace."""
