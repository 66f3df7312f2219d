"""The route of the search."""
