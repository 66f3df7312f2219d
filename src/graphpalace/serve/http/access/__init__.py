"""What the holders of keys may do: each route says what it needs."""
