"""What is known of the properties in an export, whatever kind of node or relationship has them."""

from __future__ import annotations

from collections.abc import Mapping

# Properties of what has pheromones, by their types.
NODE_TRAIL = {"int": "pheromone_cycle", "text": "warm_in", "float": "exploitation_pheromone exploration_pheromone"}
EDGE_TRAIL = {
    "int": "pheromone_cycle",
    "text": "warm_in",
    "float": "base_cost current_cost success_pheromone traversal_pheromone recency_pheromone",
}
# Vectors, which can be left out and computed again.
VECTORS = frozenset({"embedding", "embedding_int8", "narrative_vector", "centroid", "question"})
# Properties that hold the name of the palace.
NAMED = frozenset({"warm_in", "names_due"})
# Properties that count the cycles of the palace's clock.
CYCLES = frozenset({"pheromone_cycle", "narrative_cycle", "cycle"})
# Texts of people, which stay word for word. All other texts may have ids in them.
WORDS = frozenset({
    "text", "words", "title_words", "name", "title", "query", "author", "headings", "topic", "source_uri", "by",
    "normalised_name", "aliases", "kept_apart", "wing", "room", "project", "conversation", "namespace", "titled",
    "names", "assignee", "tags", "signs", "given_names", "given_to",
})  # fmt: skip
# Properties that are names: one line of signs that people see.
PLACE_NAMES: Mapping[str, tuple[str, ...]] = {
    "wings": ("name",), "rooms": ("name",), "agents": ("name",), "drawers": ("wing", "room"),
}  # fmt: skip
_SHARE, _PHEROMONE, _COST, _SCORE = (0.0, 1.0), (0.0, 1e6), (0.0, 1e6), (-1e12, 1e12)
# Smallest and largest value of numbers that are added, multiplied or compared; others are whole numbers or scores.
RANGES: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("importance", "pointer_share", "confidence", "probability", "progress"), _SHARE),
    **dict.fromkeys(
        (
            "exploitation_pheromone", "exploration_pheromone", "success_pheromone", "traversal_pheromone",
            "recency_pheromone", "narrative_strength",
        ),
        _PHEROMONE,
    ),
    **dict.fromkeys(("base_cost", "current_cost"), _COST),
    **dict.fromkeys(("pheromone_cycle", "narrative_cycle", "cycle", "decay_cycle"), (-(2.0**52), 2.0**52)),
    "similarity": (-1.001, 1.001),  # cosines are rounded
}  # fmt: skip


def typed(**by_type: str) -> dict[str, str]:
    """Return the type of each property: text, int, float, bool, time, date, bytes, json, texts, ints or floats.

    `json` is a text that contains JSON.
    """
    return {name: kind for kind, names in by_type.items() for name in names.split()}


def trailed(trail: Mapping[str, str], **by_type: str) -> dict[str, str]:
    """Return the type of each property of something that has a trail."""
    return typed(**trail) | typed(**by_type)


def range_of(name: str) -> tuple[float, float]:
    """Return the smallest and the largest value of a number."""
    return RANGES.get(name, _SCORE)


def is_words(name: str) -> bool:
    """Return whether a property has words of people."""
    return name in WORDS or own_words(name)


def own_words(name: str) -> bool:
    """Return whether a property of a drawer has its words for a language of its own, such as `words_german`."""
    begin, _, language = name.removeprefix("title_").partition("_")
    return begin == "words" and language.isascii() and language.isalpha() and language.islower()
