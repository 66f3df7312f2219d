"""Measures how well documents match a profile of wanted classification codes (seed 004, 6.2)."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from graphpalace.domain.publications.codes import levels_of
from graphpalace.domain.search.fusion_plan import Profile
from graphpalace.fuse.codes.table import CodeTable


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
