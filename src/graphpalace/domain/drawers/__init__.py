"""Drawers: the documents and files that they come from, how they are stored, and what is shown of them."""
