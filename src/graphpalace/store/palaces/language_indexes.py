"""The names of what the full-text indexes read and are called, by the analyzer of a wing's words."""

from __future__ import annotations

from graphpalace.domain.languages import ANALYZERS

OWN_ANALYZERS = tuple(sorted(set(ANALYZERS.values())))  # that a wing may have instead of the palace's


def words_property(analyzer: str | None) -> str:
    """Return the property with a drawer's words; the words of its title are in the property `title_` and this name.

    Args:
        analyzer: Analyzer of the wing; None: the palace's.
    """
    return "words" if analyzer is None else f"words_{analyzer}"


def language_indexes(palace: str, analyzer: str) -> dict[str, str]:
    """Return the full-text indexes of an analyzer in a palace: what `drop_language_index` calls each, by its name."""
    return {f"drawer_{kind}_{palace}": kind for kind in (f"{analyzer}_stems", f"{analyzer}_exact")}
