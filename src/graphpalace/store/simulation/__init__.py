"""Queries for simulations and jobs."""
