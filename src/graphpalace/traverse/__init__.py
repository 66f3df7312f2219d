"""Walking the palace (DESIGN: cheapest paths, agents, spreading)."""
