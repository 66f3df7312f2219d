"""Simulations in the background and on several machines."""
