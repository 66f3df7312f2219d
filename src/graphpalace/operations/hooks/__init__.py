"""What is done when a host of agents runs its hooks."""
