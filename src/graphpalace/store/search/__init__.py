"""Queries of the lanes."""
