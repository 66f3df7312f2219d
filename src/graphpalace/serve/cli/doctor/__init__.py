"""Finds what is wrong with an installation, and suggests a fix."""
