"""The graph as arrays, the cheapest ways through it, and explorations."""
