"""The systems that an evaluation compares: single lanes, plain RRF of two lanes, the whole search, and ablations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphpalace.domain.search.request import LEARNED_PARTS, PARTS

BASELINE, WHOLE, LEARNED, TRAILS = "rrf", "search", "search_learned", "trails alone"
UNLEARNED: dict[str, Any] = {"without": frozenset({"learning"})}

# The fields of a search request that each system sets. All others follow the settings.
SYSTEMS: dict[str, dict[str, Any]] = {lane: {"lanes": (lane,)} for lane in ("fulltext", "semantic", "path")} | {
    BASELINE: {
        "lanes": ("fulltext", "semantic"),
        "fusion": "rrf",
        "weights": {"fulltext": 1.0, "semantic": 1.0},
    },
    WHOLE: {},
}
# Only measured on request, because it takes longer than all others together.
SWARM: dict[str, dict[str, Any]] = {"search_mcmp": {"lanes": ("fulltext", "semantic", "mcmp")}}


def ablations(lanes: Sequence[str], fusion: str) -> dict[str, dict[str, Any]]:
    """Return variants of the search with one part left out at a time.

    Args:
        lanes, fusion: The lanes and the fusion that the search uses.

    Returns:
        For each name, such as `without titles`, the fields of a search request that the variant sets.
    """
    left_out: dict[str, dict[str, Any]] = {f"without {part}": {"without": frozenset({part})} for part in PARTS}
    if len(lanes) > 1:
        for lane in lanes:
            left_out[f"without lane {lane}"] = {"lanes": tuple(other for other in lanes if other != lane)}
    if fusion != "rrf":
        left_out["rrf in place of fusion"] = {"fusion": "rrf"}
    return left_out


def learning_ablations() -> dict[str, dict[str, Any]]:
    """Return variants of the search with one part of learning left out at a time, and with trails as its only part."""
    left_out: dict[str, dict[str, Any]] = {f"without {part}": {"without": frozenset({part})} for part in LEARNED_PARTS}
    return left_out | {TRAILS: {"without": frozenset(LEARNED_PARTS) - {"trails"}}}
