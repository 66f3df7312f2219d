"""Ways and explorations through a palace."""
