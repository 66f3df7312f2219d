"""The map and the state of a palace."""
