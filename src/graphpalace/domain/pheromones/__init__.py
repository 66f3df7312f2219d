"""Pheromones: their decay, deposits, the ways on which they lie, and how warm places are."""
