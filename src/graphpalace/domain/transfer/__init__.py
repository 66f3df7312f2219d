"""The format of an exported palace."""
