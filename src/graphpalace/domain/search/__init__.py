"""What is asked of a search, and what it answers."""
