"""Connections, transactions and the schema."""
