"""Queries about feedback and lessons."""
