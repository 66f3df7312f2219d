"""Pheromones in the database: deposits, decay and hot paths."""
