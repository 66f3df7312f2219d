"""Exports and imports palaces."""
