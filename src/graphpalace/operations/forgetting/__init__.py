"""Forgets for good, with a receipt."""
