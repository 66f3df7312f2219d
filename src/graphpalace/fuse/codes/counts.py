"""Counts classification codes: roll-up to a level of the hierarchy, counts by scheme, and a limit in bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from graphpalace.domain.publications.codes import rollup
from graphpalace.domain.search.run import CodeCounts
from graphpalace.fuse.codes.table import CodeTable


def at_levels(table: CodeTable, levels: Mapping[str, str]) -> CodeTable:
    """Roll the codes of some schemes up to a level of their hierarchy.

    A document counts once for each code at the level, no matter how many narrower codes it has.

    Args:
        levels: Level by scheme, for example `{"ipc": "subclass"}`. Other schemes stay as they are.

    Raises:
        InvalidInput: If a level is unknown.
    """
    index: dict[str, int] = {}
    target = np.zeros(len(table.codes), np.intp)
    for at, whole in enumerate(table.codes):
        scheme, _, code = whole.partition(":")
        name = f"{scheme}:{rollup(code, levels[scheme], scheme=scheme)}" if scheme in levels else whole
        target[at] = index.setdefault(name, len(index))
    pairs = np.unique(np.stack([table.document, target[table.code]]), axis=1)
    return CodeTable(tuple(index), pairs[1], pairs[0], table.size)


def code_counts(codes: tuple[str, ...], counts: Int[ndarray, " codes"], *, top_n: int) -> CodeCounts:
    """Return the counts above 0 by scheme and code, at most `top_n` for each scheme.

    The most frequent codes come first, ties in the order of codes.

    Args:
        codes: Codes with their schemes, as `scheme:code`.
        counts: How often each occurs.
    """
    found: dict[str, list[tuple[int, str]]] = {}
    for at in np.flatnonzero(counts):
        scheme, _, code = codes[at].partition(":")
        found.setdefault(scheme, []).append((-int(counts[at]), code))
    return {scheme: {code: -count for count, code in sorted(found[scheme])[:top_n]} for scheme in sorted(found)}


def within_bytes(counts: CodeCounts, budget_bytes: int) -> tuple[CodeCounts, bool]:
    """Return the most frequent codes that fit into a budget of bytes, and whether any were left out.

    Args:
        budget_bytes: Limit on the size of the counts as compact JSON in UTF-8, >= 2 (the size of `{}`).
    """
    ordered = sorted((-count, scheme, code) for scheme, own in counts.items() for code, count in own.items())

    def first(most: int) -> CodeCounts:
        kept: CodeCounts = {}
        for count, scheme, code in ordered[:most]:
            kept.setdefault(scheme, {})[code] = -count
        return kept

    low, high = 0, len(ordered)
    while low < high:
        middle = (low + high + 1) // 2
        size = len(json.dumps(first(middle), ensure_ascii=False, separators=(",", ":")).encode())
        low, high = (middle, high) if size <= budget_bytes else (low, middle - 1)
    return first(low), low < len(ordered)
