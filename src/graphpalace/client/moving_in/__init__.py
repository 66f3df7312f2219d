"""Readers of what other memories keep."""
