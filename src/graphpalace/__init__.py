"""GraphPalace: a memory palace kept as a graph in Neo4j."""

from __future__ import annotations

from importlib.metadata import version

__version__ = version("graphpalace")
