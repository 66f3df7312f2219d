"""Write and read the candidates of a stored search or lesson."""

from __future__ import annotations

import numpy as np

from graphpalace.domain.learning.lesson import Candidates
from graphpalace.domain.vectors import to_bytes
from graphpalace.store.connection.database import Row


def properties_of(candidates: Candidates) -> Row:
    """Return the properties of a node that has these candidates."""
    return {
        "candidates": list(candidates.ids),
        "evidence": to_bytes(candidates.evidence),
        "shown": candidates.shown,
        "log_odds": to_bytes(candidates.log_odds),
        "answer_log_odds": candidates.answer_log_odds,
        "other_lanes": list(candidates.others),
        "other_evidence": b"".join(to_bytes(evidence) for evidence in candidates.others.values()),
    }


def candidates_of(row: Row) -> Candidates:
    """Return the candidates in the properties of a node. Nodes of earlier versions lack some of them."""
    ids, lanes = tuple(row["candidates"]), row.get("other_lanes") or []
    others = np.frombuffer(row.get("other_evidence") or b"", "<f4").reshape(len(lanes), len(ids) if lanes else 0)
    return Candidates(
        ids,
        np.frombuffer(row["evidence"], "<f4"),
        row["shown"],
        np.frombuffer(row.get("log_odds") or b"", "<f4"),
        row.get("answer_log_odds"),
        dict(zip(lanes, others, strict=True)),
    )
