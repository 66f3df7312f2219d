"""Agents that walk the graph: how they choose, cool down and end."""
