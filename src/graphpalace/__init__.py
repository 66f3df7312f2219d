"""GraphPalace: a memory palace kept as a graph in Neo4j."""

from __future__ import annotations

import os
from importlib.metadata import version

__version__ = version("graphpalace")

# Between two calculations torch's threads would keep their cores busy with waiting; Neo4j has a use for them.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
