"""Routes about runs."""
