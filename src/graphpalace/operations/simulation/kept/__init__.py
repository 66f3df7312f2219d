"""Simulations in the database, and who works on them."""
