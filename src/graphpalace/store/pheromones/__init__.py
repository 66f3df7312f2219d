"""Queries about pheromones and decay."""
