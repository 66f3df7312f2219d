"""The classification codes of documents as a sparse table, how they match a profile, the boost for that, and counts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from graphpalace.domain.runs.run import CodeCounts
from graphpalace.domain.search.codes import levels_of, rollup
from graphpalace.domain.search.fusion_plan import Profile


@dataclass(frozen=True, slots=True)
class CodeTable:
    """The pairs of documents and codes, as a sparse table.

    Attributes:
        codes: All distinct codes as `scheme:code`, in order of first occurrence.
        code: Index into `codes` of each pair.
        document: Index of the document of each pair, ascending.
        size: Number of documents.
    """

    codes: tuple[str, ...]
    code: Int[ndarray, " pairs"]
    document: Int[ndarray, " pairs"]
    size: int

    @classmethod
    def of(cls, documents: Sequence[Sequence[str]]) -> CodeTable:
        """Build the table from the codes of each document."""
        index: dict[str, int] = {}
        code = [index.setdefault(one, len(index)) for own in documents for one in own]
        document = np.repeat(np.arange(len(documents)), [len(own) for own in documents])
        return cls(tuple(index), np.array(code, np.intp), document.astype(np.intp), len(documents))

    def counts(self, among: Bool[ndarray, " size"] | None = None) -> Int[ndarray, " codes"]:
        """Return the number of documents with each code; `among` is a mask of the documents that count."""
        chosen = self.code if among is None else self.code[among[self.document]]
        return np.bincount(chosen, minlength=len(self.codes))

    def reordered(self, order: Int[ndarray, " chosen"]) -> CodeTable:
        """Return the table of the chosen documents, in the given order, with the same codes."""
        place = np.full(self.size, -1)
        place[order] = np.arange(len(order))
        pairs = np.flatnonzero(place[self.document] >= 0)
        pairs = pairs[np.argsort(place[self.document[pairs]], kind="stable")]
        return CodeTable(self.codes, self.code[pairs], place[self.document[pairs]], len(order))


def matches(table: CodeTable, profile: Profile, *, broader_share: float) -> Float[ndarray, "documents wanted"]:
    """Return how well each document matches each wanted code, 0 to 1. Its best matching code counts.

    A code of a document is compared with wanted codes of its own scheme, and of the scheme `any`:

    - It matches fully (1) if it is the wanted code or narrower: `H04L` is wanted, and the document has `H04L9/32`.
    - It matches partly if it is broader, by broader_share x its levels / the levels of the wanted code. For example,
      `H04L9/32` (5 levels) is wanted, and the document has `H04L` (3 levels): with a share of 0.5, it is 0.3.
    - Otherwise it does not match (0).

    Args:
        table: Codes of the documents.
        profile: Wanted codes by scheme; their order is that of the columns.
        broader_share: 0 to 1.
    """
    wanted = [(scheme, code) for scheme, codes in profile.items() for code in codes]
    values = np.array([[_match(one, *want, broader_share) for want in wanted] for one in table.codes])
    found = np.zeros((table.size, len(wanted)))
    if len(table.code) and wanted:
        starts = np.flatnonzero(np.diff(table.document, prepend=-1))
        found[table.document[starts]] = np.maximum.reduceat(values[table.code], starts, axis=0)
    return found


def weights_of(profile: Profile) -> Float[ndarray, " wanted"]:
    """Return the weights of the wanted codes, scaled to a sum of 1; empty if the profile is empty."""
    weights = np.array([weight for codes in profile.values() for weight in codes.values()], float)
    return weights / weights.sum() if len(weights) else weights


def overlap(
    found: Float[ndarray, "documents wanted"], weights: Float[ndarray, " wanted"]
) -> Float[ndarray, " documents"]:
    """Return g(d), the share of the profile's weight that each document matches, 0 to 1.

        g(d) = sum over wanted codes of weight x match(d, code) / sum of weights

    Args:
        found: The result of `matches`.
        weights: Weights of the wanted codes, which must sum to 1.

    Source: seed 004, 6.2.
    """
    return np.minimum(found @ weights, 1.0)


def _match(code: str, scheme: str, wanted: str, broader_share: float) -> float:
    own_scheme, _, bare = code.partition(":")
    if scheme not in (own_scheme, "any"):
        return 0.0
    want, own = levels_of(wanted, own_scheme), levels_of(bare, own_scheme)
    if not want or not own:
        return 0.0
    if want[-1] in own:
        return 1.0
    return broader_share * len(own) / len(want) if own[-1] in want else 0.0


def boost(overlap: Float[ndarray, " documents"], *, alpha: float) -> Float[ndarray, " documents"]:
    """Return the factor on each document's score in a lane, 1 to 1 + alpha.

        s'(d) = s(d) (1 + alpha norm(g(d))),  norm(g) = g / largest g

    Because it is a factor, it cannot outweigh the score, whatever the scale of the score.

    Args:
        overlap: g, the overlap of each document of the fusion with the profile, 0 to 1.
        alpha: Strength of the boost in this lane, 0 to 1.

    Source: seed 004, 6.2.
    """
    best = overlap.max(initial=0.0)
    return 1 + alpha * (overlap / best if best > 0 else overlap)


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
