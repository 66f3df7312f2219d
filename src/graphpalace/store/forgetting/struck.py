"""Take drawers out of what searches, lessons and runs remember of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from typing import Any

import numpy as np

from graphpalace.domain.vectors import to_bytes
from graphpalace.store.connection.database import Row


def without_candidates(row: Row, gone: Set[str]) -> Row | None:
    """Return the candidates of a search or a lesson without some drawers; None if none is left.

    Args:
        row: `candidates`, with `evidence` for each, and `log_odds` for the first ones, which were shown.
    """
    ids = row["candidates"]
    stays = np.array([one not in gone for one in ids], bool)
    if not stays.any():
        return None
    evidence = np.frombuffer(row["evidence"], "<f4")
    log_odds = np.frombuffer(row["log_odds"] or b"", "<f4")
    return {
        "candidates": [one for one in ids if one not in gone],
        "evidence": to_bytes(evidence[stays] if len(evidence) == len(ids) else evidence),
        "shown": int(stays[: row["shown"]].sum()),
        "log_odds": to_bytes(log_odds[stays[: len(log_odds)]]),
    }


def search_without(row: Row, gone: Set[str]) -> Row | None:
    """Return the properties of a kept search without some drawers; None if it has no other."""
    names = {name: one for name, one in _read(row["names"]).items() if one not in gone}
    candidates = without_candidates(row, gone) if row["candidates"] else {}
    if candidates is None or not (candidates or names):
        return None
    return candidates | {
        "shares": _text(_without(_read(row["shares"]), gone)),
        "trails": _text(
            {
                drawer: trail
                for drawer, trail in _without(_read(row["trails"]), gone).items()
                if not any(one in json.dumps(trail) for one in gone)
            }
        ),
        "names": _text(names),
    }


def run_without(row: Row, gone: Set[str]) -> Row | None:
    """Return the properties of a run without some drawers; None if it has no other."""
    left = [(one, score) for one, score in zip(row["ids"], row["scores"], strict=True) if one not in gone]
    if not left:
        return None
    folded: dict[str, list[str]] = _without(_read(row["folded"]), gone)
    return {
        "ids": [one for one, _ in left],
        "scores": [score for _, score in left],
        "folded": _text({kept: [one for one in others if one not in gone] for kept, others in folded.items()}),
        "contributions": _text(_without(_read(row["contributions"]), gone)),
    }


def results_without(row: Row, gone: Set[str]) -> str:
    """Return the findings of a simulation without some drawers, as JSON."""
    found: list[dict[str, Any]] = json.loads(row["results"] or "[]")
    return _text([one for one in found if one["id"] not in gone])


def _without(values: Mapping[str, Any], gone: Set[str]) -> dict[str, Any]:
    return {drawer: value for drawer, value in values.items() if drawer not in gone}


def _read(text: str | None) -> dict[str, Any]:
    return json.loads(text) if text else {}


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
