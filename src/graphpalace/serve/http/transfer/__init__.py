"""What to know when a conversation begins."""
