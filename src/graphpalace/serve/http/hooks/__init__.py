"""Routes for the hooks of an agent's host."""
