"""Queries that read the graph as arrays."""
