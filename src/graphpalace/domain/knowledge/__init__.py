"""Facts and names: what they say, when they hold, and what contradicts what."""
