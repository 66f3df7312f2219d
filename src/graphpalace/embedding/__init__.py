"""Texts in, vectors out: the models, and where their files come from."""
