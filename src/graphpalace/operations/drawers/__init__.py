"""Adds, reads, changes and erases drawers, and ingests documents."""
