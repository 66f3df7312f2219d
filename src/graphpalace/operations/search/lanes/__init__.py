"""The lanes: each ranks the drawers of a palace in its own way."""
