"""The branch of a conversation that was shown last, where messages were edited or answered more than once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def shown_branch(nodes: Mapping[str, dict[str, Any]], current: Any, *, parent: str) -> list[dict[str, Any]]:
    """Return the nodes from the root to the current one; to the last leaf if there is no such node.

    Args:
        nodes: By their ids.
        current: Id of the node that was shown last.
        parent: Key under which a node has the id of its parent.
    """
    if current not in nodes:
        parents = {node.get(parent) for node in nodes.values() if isinstance(node.get(parent), str)}
        current = next((key for key in reversed(list(nodes)) if key not in parents), None)
    seen: set[Any] = set()
    branch: list[dict[str, Any]] = []
    while isinstance(current, str) and current not in seen and current in nodes:
        seen.add(current)
        branch.append(nodes[current])
        current = nodes[current].get(parent)
    return branch[::-1]
