"""Measures how well a palace answers the questions of a test collection."""
