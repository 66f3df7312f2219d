"""Stigmergy: how pheromones fade, what a deposit adds, what an edge costs."""
