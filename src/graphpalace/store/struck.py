"""Take drawers out of what searches, lessons and runs remember of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from typing import Any

import numpy as np

from graphpalace.domain.learning.feedback import Candidates
from graphpalace.store.connection.database import Row
from graphpalace.store.learning.searches import candidates_of, properties_of


def without_candidates(row: Row, gone: Set[str]) -> Row | None:
    """Return the candidates of a search or a lesson without some drawers; None if none is left.

    Args:
        row: The properties of the node that hold its candidates.
    """
    known = candidates_of(row)
    stays = np.array([one not in gone for one in known.ids], bool)
    if not stays.any():
        return None
    left = Candidates(
        tuple(one for one in known.ids if one not in gone),
        known.evidence[stays] if len(known.evidence) == len(known.ids) else known.evidence,
        int(stays[: known.shown].sum()),
        known.log_odds[stays[: len(known.log_odds)]],
        known.answer_log_odds,
        {lane: evidence[stays] for lane, evidence in known.others.items()},
    )
    return properties_of(left)


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
