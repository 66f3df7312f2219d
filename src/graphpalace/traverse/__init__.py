"""Graph traversal: cheapest paths, colonies of walking agents, and random walks with restart."""
