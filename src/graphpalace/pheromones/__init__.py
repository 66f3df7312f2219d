"""Stigmergy (seed 003): how pheromones fade, what a deposit adds, what an edge costs."""
