"""Keys for others, and who sent a request with which."""
