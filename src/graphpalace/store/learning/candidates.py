"""Read the candidates of a stored search or lesson."""

from __future__ import annotations

import numpy as np

from graphpalace.domain.learning.lesson import Candidates
from graphpalace.store.connection.database import Row


def candidates_of(row: Row) -> Candidates:
    """Return the candidates in the properties of a node. Nodes of earlier versions have no log-odds."""
    return Candidates(
        tuple(row["candidates"]),
        np.frombuffer(row["evidence"], "<f4"),
        row["shown"],
        np.frombuffer(row.get("log_odds") or b"", "<f4"),
        row.get("answer_log_odds"),
    )
