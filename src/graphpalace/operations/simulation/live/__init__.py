"""Simulations that are watched while they run."""
