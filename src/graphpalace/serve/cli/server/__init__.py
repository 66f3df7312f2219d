"""Starts, watches and stops the service."""
