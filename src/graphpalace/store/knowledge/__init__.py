"""Queries about facts and names."""
