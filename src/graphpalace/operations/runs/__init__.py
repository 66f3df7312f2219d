"""Runs of single lanes, which are fused on request and kept for feedback."""
