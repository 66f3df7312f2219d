"""Times that questions name."""
