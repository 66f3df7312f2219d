"""Runs the swarm over the drawers of a palace, and shows it."""
