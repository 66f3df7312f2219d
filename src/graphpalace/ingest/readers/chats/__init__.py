"""Exported conversations of other programs."""
