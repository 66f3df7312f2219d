"""Routes about palaces."""
