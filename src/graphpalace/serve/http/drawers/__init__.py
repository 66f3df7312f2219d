"""Routes about drawers."""
