"""Palaces and what is in them, as they are listed and drawn."""
