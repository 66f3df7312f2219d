"""Queries of export and import."""
