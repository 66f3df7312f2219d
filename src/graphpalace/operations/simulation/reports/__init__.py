"""Reports on what a swarm found."""
