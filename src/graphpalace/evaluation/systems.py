"""What is compared: each lane, plain RRF of the two text lanes, the whole search, and the search without a part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphpalace.domain.search.request import LEARNED_PARTS, PARTS

BASELINE, WHOLE, LEARNED = "rrf", "search", "search_learned"
UNLEARNED: dict[str, Any] = {"without": frozenset({"learning"})}

# Each is what it changes of a question that leaves all to the settings.
SYSTEMS: dict[str, dict[str, Any]] = {
    "fulltext": {"lanes": ("fulltext",)},
    "semantic": {"lanes": ("semantic",)},
    "path": {"lanes": ("path",)},
    BASELINE: {
        "lanes": ("fulltext", "semantic"),
        "fusion": "rrf",
        "weights": {"fulltext": 1.0, "semantic": 1.0},
    },
    WHOLE: {},
}
# Measured when asked for, since it takes longer than all the others.
SWARM: dict[str, dict[str, Any]] = {"search_mcmp": {"lanes": ("fulltext", "semantic", "mcmp")}}


def ablations(lanes: Sequence[str], fusion: str) -> dict[str, dict[str, Any]]:
    """Return the search with one thing left out at a time.

    Args:
        lanes, fusion: Those that the search uses.
    Returns:
        Names such as `without titles`, and what each changes of a question.
    """
    left_out: dict[str, dict[str, Any]] = {f"without {part}": {"without": frozenset({part})} for part in PARTS}
    if len(lanes) > 1:
        for lane in lanes:
            left_out[f"without lane {lane}"] = {"lanes": tuple(other for other in lanes if other != lane)}
    if fusion != "rrf":
        left_out["rrf in place of fusion"] = {"fusion": "rrf"}
    return left_out


def learning_ablations() -> dict[str, dict[str, Any]]:
    """Return the search with learning, with one thing left out of it at a time, as `ablations` does."""
    return {f"without {part}": {"without": frozenset({part})} for part in LEARNED_PARTS}
