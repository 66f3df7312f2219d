"""Decay at fixed times, in the service or as a process of its own."""
