"""Routes about simulations."""
