"""The section [neo4j] of a managed server that only some tests use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphpalace.settings.load import cache_dir, load


def server_section(folder: Path, **more: Any) -> dict[str, Any]:
    """Return the section of a small server in a folder, on free ports, with the jar files that are downloaded already.

    Args:
        more: Other values of the section.
    """
    own = {"data_dir": str(folder), "cache_dir": str(cache_dir(load()))}
    return own | {"bolt_port": 0, "http_port": 0, "heap_mb": 512} | more
