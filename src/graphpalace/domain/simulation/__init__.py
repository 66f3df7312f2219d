"""Simulations and background jobs: what starts them, and what they answer."""
