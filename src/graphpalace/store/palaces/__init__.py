"""Queries about palaces, their languages and their changes."""
